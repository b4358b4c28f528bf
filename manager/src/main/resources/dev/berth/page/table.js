/* Who owns what, as a table: all that the picture says, for those who cannot see it. */

class OwnerTable {
  constructor(onChosen) {
    this.root = byId("table");
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) {
        onChosen(Number(button.dataset.pod));
      }
    });
  }

  show(story, state) {
    if (this.root.hidden) {
      return;
    }
    const head = make("tr", {}, ...["", "Owner", "Container", "CPUs", "Count", "NUMA nodes", "L3 caches", "Sockets"].map((word) => make("th", { scope: "col", class: word === "Count" && "number" }, word)));
    const body = make("tbody");
    for (const [pod, holding] of [...state.holdings].sort((a, b) => Math.min(...a[1].all) - Math.min(...b[1].all))) {
      for (const [container, cpus] of Object.entries(holding.cpus)) {
        body.append(this.row(story, letters(holding.letter), this.name(story, pod), container || "(the pod)", cpus));
      }
    }
    const taken = new Set([...state.owner.keys()].filter((i) => state.owner[i] !== NOBODY).map((i) => story.machine.cpus[i]));
    const reserved = [...story.reserved].filter((cpu) => !taken.has(cpu));
    const free = parseCpus(state.shared).filter((cpu) => !story.reserved.has(cpu));
    body.append(this.row(story, "", "reserved", "", formatCpus(reserved)), this.row(story, "", "shared pool", "", formatCpus(free)));
    if (story.machine.isolated.size > 0) {
      body.append(this.row(story, "", "isolated by the kernel", "", formatCpus(story.machine.isolated)));
    }
    if (story.machine.offline.length > 0) {
      body.append(this.row(story, "", "offline", "", formatCpus(story.machine.offline)));
    }
    const caption = make("caption", {}, `${story.machine.name} after ${plural(state.count, "step")}`);
    this.root.replaceChildren(make("table", {}, caption, make("thead", {}, head), body));
  }

  name(story, pod) {
    return make("button", { type: "button", "data-pod": pod }, titleOf(story.pods[pod] || {}));
  }

  row(story, letter, owner, container, cpus) {
    const list = parseCpus(cpus);
    const places = [3, 4, 2].map((column) => make("td", {}, formatCpus(story.machine.spread(list, column))));
    return make("tr", {}, make("td", {}, letter), make("th", { scope: "row" }, owner), make("td", {}, container), make("td", {}, make("code", {}, cpus)), make("td", { class: "number" }, String(list.length)), ...places);
  }
}
