/* Follows an agent: its whole story first, then every step as it happens; comes back by itself. */

const SILENCE = 15000;
const AGAIN = 1500;

/** A page that stays open keeps no more than so many steps beyond those it was told at once. */
const GROWN = 3000;

class Follower {
  constructor(onStory, onStep, onState, onKernel) {
    this.onStory = onStory;
    this.onStep = onStep;
    this.onState = onState;
    this.onKernel = onKernel;
    this.connect();
  }

  connect() {
    this.source?.close();
    const source = new EventSource("/story/follow");
    this.onKernel([]);
    this.source = source;
    source.addEventListener("story", (event) => this.heard(() => this.onStory(JSON.parse(event.data))));
    source.addEventListener("step", (event) => this.heard(() => this.onStep(JSON.parse(event.data))));
    source.addEventListener("kernel", (event) => this.heard(() => this.onKernel(JSON.parse(event.data))));
    source.addEventListener("beat", () => this.heard(() => {}));
    source.addEventListener("error", () => this.lost());
    this.watch();
  }

  /** The story anew, folded as the agent keeps it. Nothing is missed: it begins with all of it. */
  renew() {
    this.connect();
  }

  heard(act) {
    act();
    this.onState(true);
    this.watch();
  }

  /** An agent that says nothing at all, not even that it is there, is lost as well. */
  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(), SILENCE);
  }

  lost() {
    this.onState(false);
    this.source.close();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), AGAIN);
  }
}

/** A test has no time for thousands of steps. */
function grownAtMost() {
  return Number(document.documentElement.dataset.grown || GROWN);
}

async function explainByAgent(pod) {
  try {
    const response = await fetch(`/explain/${encodeURIComponent(pod.uid)}`);
    return response.ok ? await response.json() : { failure: await response.text() };
  } catch (failure) {
    return { failure: `The agent does not answer: ${failure.message}` };
  }
}
