/* Puts the parts together: what is shown is always (story, position, selection, ghost). */

const VIEWS = ["picture", "table", "summary"];

/** Where keys scroll what is too large to be shown whole, they are left to that. */
const SCROLLED = "#table, .scroll, .lines, #configuration";
const SCROLLING = new Set(["ArrowLeft", "ArrowRight", "Home", "End", " "]);

class Page {
  constructor(live) {
    this.selection = {};
    this.ghost = new Set();
    this.picture = new Picture(byId("machine"), (cpu) => this.chooseCpu(cpu));
    this.table = new OwnerTable((pod) => this.choosePod(pod));
    this.list = new PodList((pod) => this.choosePod(pod));
    this.details = new Details(live ? explainByAgent : undefined);
    this.timeline = new Timeline(() => this.moved());
    this.shortcuts = new Shortcuts();
    this.theme = new Theme(() => this.timeline.paint());
    byId("details-close").addEventListener("click", () => this.chooseNothing());
    this.summary = new Summary();
    for (const view of VIEWS) {
      byId(`as-${view}`).addEventListener("click", () => this.showAs(view));
    }
    byId("help-open").addEventListener("click", () => byId("help").showModal());
    document.addEventListener("keydown", (event) => this.key(event));
    if (live) {
      this.trial = new Trial((ghost) => this.showGhost(ghost));
      byId("try").hidden = false;
      byId("now").hidden = false;
      byId("live").hidden = false;
      this.tellLive(false, "connecting");
      this.follower = new Follower(
        (json) => this.tell(json),
        (more) => this.tellMore(more),
        (there) => this.tellLive(there),
        (lines) => this.tellKernel(lines),
      );
    }
  }

  /** Containers that the kernel has on other CPUs than the story says. */
  tellKernel(lines) {
    const list = byId("kernel");
    list.hidden = lines.length === 0;
    list.replaceChildren(...lines.map((line) => make("li", {}, `Not as wanted: ${line}`)));
  }

  /** Another story from its beginning; whoever looked at the end looks at the end again. */
  tell(json) {
    const began = performance.now();
    const atEnd = !this.story || this.timeline.atEnd();
    const position = this.timeline.position;
    const uid = this.story?.pods[this.selection.pod]?.uid;
    const story = new Story(json);
    this.story = story;
    const pod = uid === undefined ? -1 : story.pods.findIndex((one) => one.uid === uid);
    this.selection = pod < 0 ? {} : { pod };
    this.picture.draw(story);
    this.summary.draw(story);
    this.head();
    this.timeline.show(story, atEnd ? story.opensAt() : position);
    if (story.comparison) {
      this.showAs("summary");
    }
    document.documentElement.dataset.drawn = (performance.now() - began).toFixed(1);
  }

  tellMore(more) {
    const atEnd = this.timeline.atEnd();
    (more.pods || []).forEach((pod) => this.story.pods.push(pod));
    this.story.append(more.step);
    this.timeline.show(this.story, atEnd && !this.timeline.playing ? Infinity : this.timeline.position);
  }

  moved() {
    this.refresh();
    // Who looks back keeps all of it until coming back to the end.
    if (this.follower && this.timeline.atEnd() && !this.timeline.playing && this.story.grown() > grownAtMost()) {
      this.story.grownFrom = this.story.steps.length;
      this.follower.renew();
    }
  }

  tellLive(there, word) {
    const pill = byId("live");
    const text = word || (there ? "live" : "lost the agent, trying again");
    if (pill.textContent !== text) {
      pill.textContent = text;
      pill.className = `live ${there ? "on" : "off"}`;
    }
  }

  head() {
    const { story } = this;
    document.title = `${story.title || story.machine.name} · Berth`;
    byId("title").textContent = story.title || story.machine.name;
    byId("subtitle").textContent = (story.title.includes(story.machine.name) ? "" : `${story.machine.name}: `) + story.machine.summary();
    byId("caution").textContent = story.caution;
    byId("caution").hidden = !story.caution;
    byId("configuration").textContent = story.configuration || "not told";
    this.settings = settingsOf(story.configuration);
    byId("as-summary").hidden = !story.figures && !story.comparison;
    if (!this.trial) {
      this.tellWhereToTry();
    }
    const legend = [["owned owner-0", "A", "of one pod"], ["shared", "", "shared pool"], ["reserved", "", "reserved"]];
    if (story.machine.isolated.size > 0) {
      legend.push(["shared isolated", "", "isolated"]);
    }
    byId("legend").replaceChildren(...legend.map(([marks, letter, word]) => make("li", {}, make("span", { class: `cpu sample ${marks}`, "aria-hidden": "true" }, letter), word)));
  }

  /** A page from a disk has nobody who could decide on a pod. */
  tellWhereToTry() {
    byId("try").hidden = false;
    byId("try-form").hidden = true;
    byId("try-elsewhere").hidden = false;
    byId("try-elsewhere").replaceChildren("On the empty machine: ", commandToAsk(this.story));
  }

  /** Draws what is so at the position of the timeline; nothing where there is no story yet. */
  refresh() {
    if (!this.story) {
      return;
    }
    const state = this.story.after(this.timeline.position);
    this.state = state;
    const { pod, cpu } = this.selection;
    const holding = state.holdings.get(pod);
    const cpus = holding ? holding.all : cpu === undefined ? [] : [cpu];
    this.picture.show(state, { cpus }, this.ghost);
    this.table.show(this.story, state);
    this.list.show(this.story, state, pod);
    this.counts(state);
    if (pod !== undefined) {
      this.details.pod(this.story, state, pod);
    } else if (cpu !== undefined) {
      this.details.cpu(this.story, state, cpu);
    } else {
      this.details.close();
    }
  }

  counts(state) {
    const { story } = this;
    const families = new Set([...state.holdings.keys()].map((pod) => familyOf(story.pods[pod])));
    const facts = [
      ...this.settings,
      ["exclusive", `${state.used} of ${plural(story.givable, "CPU")}`],
      ["shared pool", plural(parseCpus(state.shared).length, "CPU")],
      ["reserved", story.reserved.size === 0 ? "none" : `CPU${story.reserved.size === 1 ? "" : "s"} ${formatCpus(story.reserved)}`],
      ["pods", `${families.size}, ${state.families.size} exclusive`],
    ];
    byId("facts").replaceChildren(...facts.map(([name, value]) => make("li", {}, make("span", {}, name), make("strong", {}, value))));
  }

  choosePod(pod) {
    this.selection = this.selection.pod === pod ? {} : { pod };
    this.refresh();
    if (this.selection.pod !== undefined) {
      byId("details").scrollIntoView({ block: "nearest" });
    }
  }

  chooseCpu(cpu) {
    const owner = this.state.owner[this.story.machine.index.get(cpu)];
    if (owner !== NOBODY) {
      this.choosePod(owner);
      return;
    }
    this.selection = this.selection.cpu === cpu ? {} : { cpu };
    this.refresh();
  }

  chooseNothing() {
    this.selection = {};
    this.refresh();
  }

  /** What a tried pod would get is what it would get now. */
  showGhost(ghost) {
    this.ghost = ghost;
    if (ghost.size > 0) {
      this.timeline.go(Infinity);
    } else {
      this.refresh();
    }
  }

  /** The machine as a picture or as a table, or what a simulation came to. */
  showAs(wanted) {
    for (const view of VIEWS) {
      byId(view === "picture" ? "machine" : view).hidden = view !== wanted;
      byId(`as-${view}`).setAttribute("aria-pressed", String(view === wanted));
    }
    // It tells the marks of the picture, and would stand above words and figures for nothing.
    byId("legend").hidden = wanted !== "picture";
    this.refresh();
  }

  key(event) {
    const { target } = event;
    if (event.key === "Escape" && !byId("help").open) {
      this.chooseNothing();
      return;
    }
    // A browser leaves the focus in a dialog that was closed until it draws again: nobody types there.
    const field = target.matches("input:not([type=range]), textarea, select") && target.checkVisibility();
    const typing = field || byId("help").open;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.story) {
      return;
    }
    const presses = event.key === " " && target.matches("button, summary, a");
    const scrolls = SCROLLING.has(event.key) && target.closest(SCROLLED) !== null;
    const act = presses || scrolls || !this.shortcuts.permit(event.key) ? undefined : this.deeds(event)[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  }

  deeds(event) {
    const far = event.shiftKey ? 10 : 1;
    const { timeline } = this;
    return {
      ArrowLeft: () => timeline.go(timeline.position - far),
      ArrowRight: () => timeline.go(timeline.position + far),
      Home: () => timeline.go(0),
      End: () => timeline.go(Infinity),
      " ": () => timeline.toggle(),
      r: () => timeline.nextRefusal(),
      l: () => timeline.go(Infinity),
      "/": () => byId("filter").focus(),
      m: () => {
        this.showAs("picture");
        this.picture.enter();
      },
      t: () => this.showAs(byId("table").hidden ? "table" : "picture"),
      s: () => !byId("as-summary").hidden && this.showAs(byId("summary").hidden ? "summary" : "picture"),
      d: () => this.theme.toggle(),
      "?": () => byId("help").showModal(),
    };
  }
}

/**
 * Keys of one letter or sign, which can be switched off: who dictates says words, and each letter of
 * them would do something here.
 */
class Shortcuts {
  constructor() {
    this.box = byId("shortcuts");
    this.box.checked = remembered("shortcuts") !== "off";
    this.box.addEventListener("change", () => remember("shortcuts", this.box.checked ? "on" : "off"));
  }

  permit(key) {
    return this.box.checked || key.length > 1 || key === " ";
  }
}

/** What was chosen here before; a browser may keep nothing of a page, and then nothing was. */
function remembered(name) {
  try {
    return localStorage.getItem(`berth.${name}`);
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`berth.${name}`, value);
  } catch {
    // It holds for as long as the page is open.
  }
}

/** Light, dark, or what the system has. */
class Theme {
  constructor(onChanged) {
    this.onChanged = onChanged;
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.system.addEventListener("change", () => this.apply());
    byId("theme").addEventListener("click", () => this.toggle());
    this.apply();
  }

  isDark() {
    return this.chosen === undefined ? this.system.matches : this.chosen;
  }

  toggle() {
    this.chosen = !this.isDark();
    this.apply();
  }

  apply() {
    document.documentElement.style.colorScheme = this.isDark() ? "dark" : "light";
    byId("theme").textContent = this.isDark() ? "Light" : "Dark";
    this.onChanged();
  }
}

/** The few lines of the configuration that decide most; the rest is shown as it is. */
function settingsOf(yaml) {
  const value = (key) => new RegExp(`^${key}: *"?([^"\\n]*)"?$`, "m").exec(yaml)?.[1];
  const options = /^cpuManagerPolicyOptions:(?: *\{(.*)\}|((?:\n +.*)+))/m.exec(yaml);
  const on = (options?.[1] || options?.[2] || "").split(/[\n,]/).filter((line) => /: *"?true/.test(line)).map((line) => line.split(":")[0].replaceAll('"', "").trim());
  const facts = [
    ["CPU policy", [value("cpuManagerPolicy"), ...on].filter(Boolean).join(" + ")],
    ["topology policy", [value("topologyManagerPolicy"), value("topologyManagerScope")].filter(Boolean).join(", scope ")],
    ["memory policy", value("memoryManagerPolicy")],
  ];
  return facts.filter(([, words]) => words);
}

const told = JSON.parse(byId("story").textContent);
const page = new Page(told === "live");
if (told !== "live") {
  unpack(told).then(
    (story) => page.tell(story),
    (failure) => {
      byId("title").textContent = "The story in this page cannot be read";
      byId("subtitle").textContent = `${failure.message || failure}: it is cut short, or the browser is older than 2023.`;
    },
  );
}
