/*
 * What happened on a machine, and what was so after any number of steps.
 *
 * Every step changes little, so the state is kept whole once every KEYFRAME steps and the rest is
 * counted on from there: going to any of 100,000 steps applies a few hundred of them at most.
 */

const KEYFRAME = 500;
const NOBODY = -1;

/** Who has what after some steps. */
class State {
  constructor(story) {
    this.count = 0;
    this.owner = new Int32Array(story.machine.cpus.length).fill(NOBODY);
    this.holdings = new Map();
    this.letters = [];
    this.families = new Map();
    this.shared = "";
    this.taken = new Int32Array(story.caches.length);
    this.used = 0;
    this.broken = 0;
  }

  copy() {
    const other = Object.create(State.prototype);
    return Object.assign(other, this, {
      owner: this.owner.slice(),
      holdings: new Map(this.holdings),
      letters: this.letters.slice(),
      families: new Map(this.families),
      taken: this.taken.slice(),
    });
  }
}

class Story {
  constructor(json) {
    this.title = json.title || "";
    this.began = json.began;
    this.configuration = json.configuration || "";
    this.caution = json.caution || "";
    this.figures = json.figures;
    this.comparison = json.comparison;
    this.machine = new Machine(json.machine || {});
    this.reserved = new Set(parseCpus(json.reserved));
    this.pods = [];
    this.steps = [];
    this.keyframes = [];
    this.refusals = [];
    this.usedAfter = [];
    this.brokenAfter = [];
    this.countCaches();
    this.tip = new State(this);
    (json.pods || []).forEach((pod) => this.pods.push(pod));
    this.begin(json.start || {});
    (json.steps || []).forEach((step) => this.append(step));
    this.grownFrom = this.steps.length;
  }

  /** How many steps have come since it was told. */
  grown() {
    return this.steps.length - this.grownFrom;
  }

  /** The caches, without what is reserved in them: only the rest can be given away. */
  countCaches() {
    const numbers = new Map();
    this.caches = [];
    this.cacheOf = this.machine.rows.map((row) => {
      if (!numbers.has(row[4])) {
        numbers.set(row[4], this.caches.length);
        this.caches.push(0);
      }
      const number = numbers.get(row[4]);
      this.caches[number] += this.reserved.has(row[0]) ? 0 : 1;
      return number;
    });
    this.givable = this.caches.reduce((sum, size) => sum + size, 0);
  }

  begin(start) {
    this.tip.shared = start.shared || "";
    for (const [pod, holding] of Object.entries(start.holding || {})) {
      this.give(this.tip, Number(pod), holding, NOBODY);
    }
    this.measure();
    this.keyframes.push(this.tip.copy());
  }

  /** One more step. */
  append(step) {
    this.steps.push(step);
    this.apply(this.tip, step);
    this.measure();
    if (step.kind === "refused") {
      this.refusals.push(this.steps.length);
    }
    if (this.tip.count % KEYFRAME === 0) {
      this.keyframes.push(this.tip.copy());
    }
  }

  measure() {
    this.usedAfter.push(this.tip.used);
    this.brokenAfter.push(this.tip.broken);
  }

  /**
   * Where to look first: at the end of what goes on, and of what was simulated at the last moment
   * when it was fullest, as most have left by the end.
   */
  opensAt() {
    return this.figures ? this.usedAfter.lastIndexOf(this.usedAfter.reduce((a, b) => Math.max(a, b), 0)) : Infinity;
  }

  /** What is so after so many steps; not to be changed. */
  after(count) {
    if (count === this.tip.count) {
      return this.tip;
    }
    const state = this.keyframes[Math.floor(count / KEYFRAME)].copy();
    while (state.count < count) {
      this.apply(state, this.steps[state.count]);
    }
    return state;
  }

  apply(state, step) {
    switch (step.kind) {
      case "admitted":
      case "moved":
      case "displaced":
        this.give(state, step.pod, step, state.count);
        break;
      case "removed":
        this.take(state, step.pod);
        state.holdings.delete(step.pod);
        break;
      default:
        // A refusal or a note changes nothing.
        break;
    }
    if (step.shared !== undefined) {
      state.shared = step.shared;
    }
    state.count++;
  }

  /** Gives a pod what a step says, in the place of what it had. */
  give(state, pod, step, number) {
    const before = state.holdings.get(pod);
    this.take(state, pod);
    const cpus = step.cpus || {};
    const all = [...new Set(Object.values(cpus).flatMap(parseCpus))];
    const holding = { step: number, cpus, all, said: step };
    if (all.length > 0) {
      holding.letter = this.letterFor(state, pod, before?.letter);
      this.own(state, all, pod);
    }
    state.holdings.set(pod, holding);
  }

  take(state, pod) {
    const holding = state.holdings.get(pod);
    if (holding && holding.all.length > 0) {
      this.letGo(state, pod, holding.letter);
      this.own(state, holding.all, NOBODY);
    }
  }

  /** The letter of its pod, which containers of one pod have in common; else the one it had. */
  letterFor(state, pod, before) {
    const family = familyOf(this.pods[pod]);
    const known = state.families.get(family);
    const letter = known?.letter ?? before ?? firstFree(state.letters);
    state.families.set(family, { letter, members: (known?.members || 0) + 1 });
    state.letters[letter] = true;
    return letter;
  }

  letGo(state, pod, letter) {
    const family = familyOf(this.pods[pod]);
    const members = state.families.get(family).members - 1;
    if (members > 0) {
      state.families.set(family, { letter, members });
    } else {
      state.families.delete(family);
      state.letters[letter] = false;
    }
  }

  own(state, cpus, pod) {
    for (const cpu of cpus) {
      const i = this.machine.index.get(cpu);
      if (i === undefined || (state.owner[i] === NOBODY) === (pod === NOBODY)) {
        continue;
      }
      state.owner[i] = pod;
      if (this.reserved.has(cpu)) {
        continue;
      }
      const cache = this.cacheOf[i];
      const change = pod === NOBODY ? -1 : 1;
      state.used += change;
      state.broken -= this.brokenIn(state, cache);
      state.taken[cache] += change;
      state.broken += this.brokenIn(state, cache);
    }
  }

  /** Free CPUs of a cache that somebody else has a part of. */
  brokenIn(state, cache) {
    return state.taken[cache] > 0 ? this.caches[cache] - state.taken[cache] : 0;
  }
}

function firstFree(taken) {
  let i = 0;
  while (taken[i]) {
    i++;
  }
  return i;
}
