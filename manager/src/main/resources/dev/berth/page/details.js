/* What is known of the pod or CPU that was chosen, and why it is so. */

class Details {
  constructor(explainer) {
    this.section = byId("details");
    this.body = byId("details-body");
    this.explainer = explainer;
    this.asked = 0;
  }

  close() {
    this.section.hidden = true;
    this.shown = undefined;
  }

  /** A pod, as it is after the steps that are shown. */
  pod(story, state, pod) {
    const holding = state.holdings.get(pod);
    const number = holding ? holding.step : lastAbout(story, state.count, pod);
    const step = number >= 0 ? story.steps[number] : holding?.said;
    const key = keyOf(story, pod, step, holding);
    this.open(titleOf(story.pods[pod] || {}));
    if (this.shown === key) {
      return;
    }
    this.shown = key;
    this.body.replaceChildren(this.facts(story, pod, holding, step), this.why(story, story.pods[pod] || {}, step));
  }

  open(title) {
    byId("details-title").textContent = title;
    this.section.hidden = false;
  }

  facts(story, pod, holding, step = {}) {
    const told = story.pods[pod] || {};
    const list = make("dl", { class: "about" });
    const add = (term, ...values) => list.append(make("dt", {}, term), make("dd", {}, ...values));
    add("state", holding ? stateInWords(holding) : step.kind === "refused" ? "refused" : "gone");
    if (told.qos) {
      add("QoS class", told.qos);
    }
    for (const [container, cpus] of Object.entries(holding?.cpus || {})) {
      add(container === "" ? "the pod's CPUs" : container, make("code", {}, cpus), ` ${place(story.machine, cpus)}`);
      const aligned = step.aligned?.[container];
      if (aligned?.length) {
        list.lastChild.append(make("span", { class: "aligned" }, `in as few as possible: ${aligned.map((one) => BOUNDARIES[one] || one).join(", ")}`));
      }
    }
    for (const [container, node] of Object.entries(step.nodes || {})) {
      add(`place of ${container || "the pod"}`, `NUMA node${/[-,]/.test(node) ? "s" : ""} ${node}`);
    }
    for (const [container, blocks] of Object.entries(step.memory || {})) {
      add(`memory of ${container || "the pod"}`, blocks.map((one) => `${bytesInWords(one.bytes)} ${one.type === "memory" ? "" : one.type + " "}on ${one.nodes}`).join("; "));
    }
    for (const [container, resources] of Object.entries(step.devices || {})) {
      add(`devices of ${container}`, Object.entries(resources).map(([name, ids]) => `${name}: ${ids.join(", ")}`).join("; "));
    }
    if (step.at !== undefined) {
      add(holding ? "since" : "at", timeInWords(story.began, step.at));
    }
    return list;
  }

  /** Why: as it stands in the story, or as the agent tells it now. */
  why(story, pod, step) {
    const box = make("div", { class: "why" });
    if (step?.message) {
      box.append(make("p", { class: "message" }, step.reason ? make("strong", {}, `${step.reason}: `) : "", step.message));
    }
    if (step?.why?.length) {
      box.append(lines(step.why));
    } else if (this.explainer) {
      const turn = ++this.asked;
      const waiting = make("p", { class: "muted" }, "asking the agent…");
      box.append(waiting);
      this.explainer(pod).then((answer) => {
        if (turn === this.asked) {
          waiting.replaceWith(...answered(answer, step));
        }
      });
    } else {
      box.append(notKept(story));
    }
    return box;
  }

  /** A CPU that nobody has for itself. */
  cpu(story, state, cpu) {
    const { core, socket, node, cache } = story.machine.place(cpu);
    const shared = new Set(parseCpus(state.shared)).has(cpu);
    const list = make("dl", { class: "about" });
    const add = (term, value) => list.append(make("dt", {}, term), make("dd", {}, value));
    add("place", `core ${core}, L3 ${cache}, NUMA node ${node}, socket ${socket}`);
    add("state", [story.reserved.has(cpu) ? "reserved for the system" : "", shared ? "in the shared pool" : "", story.machine.isolated.has(cpu) ? "isolated by the kernel" : ""].filter(Boolean).join(", ") || "nobody's");
    if (shared) {
      add("who runs here", plural([...state.holdings.values()].filter((one) => one.all.length === 0).length, "pod") + " without CPUs of their own");
    }
    for (const kind of story.machine.kinds.filter((one) => one.cpus.has(cpu))) {
      add("kind of core", kind.name);
    }
    this.shown = undefined;
    this.open(`CPU ${cpu}`);
    this.body.replaceChildren(list);
  }
}

/** What is shown of a pod; the same where a story is told anew and pods have other numbers. */
function keyOf(story, pod, step, holding) {
  return JSON.stringify([story.began, story.title, story.pods[pod]?.uid, holding !== undefined, { ...step, pod: undefined }]);
}

/** A page that explained every step of a long day would be too large to open. */
function notKept(story) {
  return make(
    "p",
    { class: "muted" },
    "How this was decided is not in the page, which keeps it of the first 1,000 steps and of the refusals after them while there is room. Ask again, for the empty machine: ",
    commandToAsk(story),
  );
}

/** Where no agent answers, the command line does, with the machine and the configuration of the story. */
function commandToAsk(story) {
  const { name } = story.machine;
  const machine = /^[\w.:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return make("code", {}, `berth explain -f POD.yaml --machine ${machine} --config FILE`);
}

const BOUNDARIES = { core: "cores", l3: "L3 caches", numa: "NUMA nodes", socket: "sockets" };

function stateInWords(holding) {
  return {
    exclusive: `${plural(holding.all.length, "CPU")} of its own`,
    shared: "in the shared pool",
    displaced: "in the shared pool for want of room",
  }[statusOf(holding)];
}

function place(machine, cpus) {
  const list = parseCpus(cpus);
  const nodes = machine.spread(list, 3);
  const caches = machine.spread(list, 4);
  return `on NUMA node ${formatCpus(nodes)}, L3 ${formatCpus(caches)}`;
}

/** What an agent answers: how it came to that, and for one that was refused what would help. */
function answered(answer, step) {
  if (answer.failure) {
    return [make("p", { class: "muted" }, answer.failure)];
  }
  const headline = step?.message || !answer.headline ? [] : [make("p", { class: "message" }, answer.headline)];
  return [...headline, ...notes(answer), ...help(answer), ...(answer.lines?.length ? [lines(answer.lines)] : [])];
}

/** What one should know of an answer before its rest: whether it still holds, and what was not kept. */
function notes(answer) {
  return answer.notes?.length ? [make("ul", { class: "notes" }, ...answer.notes.map((note) => make("li", {}, note)))] : [];
}

/** What would let a refused pod in: changes of what it asks for, or moves of others. */
function help(answer) {
  const parts = [];
  const list = (title, all) => {
    if (all?.length) {
      parts.push(make("h3", {}, title), make("ul", { class: "changes" }, ...all.map((one) => make("li", {}, typeof one === "string" ? one : one.text || ""))));
    }
  };
  list("What would let it in", answer.changes);
  // What never fits is told by the headline already.
  list("By moving others", answer.plan?.proof === "neverFits" ? [] : answer.plan?.text);
  list("How close it was", answer.nearMisses);
  return parts;
}

function lines(all) {
  return make("pre", { class: "lines", tabindex: "0" }, all.join("\n"));
}

/** The last step about a pod among the first ones; none is -1. */
function lastAbout(story, count, pod) {
  for (let i = count - 1; i >= 0; i--) {
    if (story.steps[i].pod === pod) {
      return i;
    }
  }
  return -1;
}
