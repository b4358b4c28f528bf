/* The list of pods: who is here, and who was refused, after the steps that are shown. */

const MOST_ROWS = 200;

class PodList {
  constructor(onChosen) {
    this.list = byId("pods");
    this.onChosen = onChosen;
    this.list.addEventListener("click", (event) => this.choose(event.target));
    this.list.addEventListener("keydown", (event) => this.key(event));
    byId("filter").addEventListener("input", () => this.filter());
    byId("sort").addEventListener("change", () => this.filter());
    byId("filter").addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        this.list.querySelector("button")?.focus();
      }
    });
  }

  show(story, state, selected) {
    this.story = story;
    this.state = state;
    this.selected = selected;
    this.refresh();
  }

  /** Somebody has typed, and is told how many match; before the first story there is nobody. */
  filter() {
    if (this.story) {
      byId("pods-count").setAttribute("aria-live", "polite");
      this.refresh();
    }
  }

  refresh() {
    const rows = this.rows();
    const words = byId("filter").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const wanted = rows.filter((row) => words.every((word) => row.text.includes(word)));
    wanted.sort(ORDERS[byId("sort").value]);
    const focused = document.activeElement?.closest?.("#pods button")?.dataset.uid;
    const items = together(wanted).slice(0, MOST_ROWS).map((row) => this.item(row));
    if (wanted.length > MOST_ROWS) {
      items.push(make("li", { class: "muted note" }, `and ${(wanted.length - MOST_ROWS).toLocaleString("en")} more: filter to see them`));
    }
    if (items.length === 0) {
      items.push(make("li", { class: "muted note" }, rows.length === 0 ? "Nobody is here." : "None matches."));
    }
    this.list.replaceChildren(...items);
    if (focused !== undefined) {
      this.list.querySelector(`button[data-uid="${CSS.escape(focused)}"]`)?.focus();
    }
    const [some, all] = [wanted, rows].map((list) => new Set(list.map((row) => row.family)).size);
    byId("pods-count").textContent = some === all ? String(all) : `${some} of ${all}`;
  }

  rows() {
    const rows = [];
    for (const [pod, holding] of this.state.holdings) {
      rows.push(this.row(pod, holding.step, holding, statusOf(holding)));
    }
    const seen = new Set();
    for (let i = refusalsBefore(this.story, this.state.count) - 1; i >= 0 && seen.size < MOST_ROWS; i--) {
      const number = this.story.refusals[i] - 1;
      const { pod } = this.story.steps[number];
      if (pod !== undefined && !this.state.holdings.has(pod) && !seen.has(pod)) {
        seen.add(pod);
        rows.push(this.row(pod, number, { all: [], cpus: {} }, "refused"));
      }
    }
    return rows;
  }

  row(pod, step, holding, status) {
    const told = this.story.pods[pod] || {};
    const title = titleOf(told);
    const cpus = formatCpus(holding.all);
    return {
      pod,
      step,
      uid: told.uid || "",
      family: familyOf(told),
      title,
      status,
      size: holding.all.length,
      letter: holding.letter,
      cpus,
      text: `${title} ${told.qos || ""} ${status} ${cpus}`.toLowerCase(),
    };
  }

  item(row) {
    const badge = make("span", { class: "badge", "aria-hidden": "true" });
    if (row.letter !== undefined) {
      badge.classList.add("cpu", "owned", `owner-${row.letter % COLOURS}`, `mark-${Math.floor(row.letter / COLOURS) % MARKS}`);
      badge.textContent = letters(row.letter);
    } else {
      badge.classList.add(row.status);
      badge.textContent = row.status === "refused" ? "×" : "·";
    }
    const size = row.size > 0 ? plural(row.size, "CPU") : row.status;
    const button = make(
      "button",
      { type: "button", "data-pod": row.pod, "data-uid": row.uid, "aria-pressed": String(row.pod === this.selected), class: row.status },
      badge,
      make("span", { class: "name" }, row.title),
      make("span", { class: "size" }, size),
      make("span", { class: "cpus" }, row.cpus),
    );
    return make("li", {}, button);
  }

  choose(target) {
    const button = target.closest("button");
    if (button) {
      this.onChosen(Number(button.dataset.pod));
    }
  }

  key(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const button = event.target.closest("button");
    if (way && button) {
      event.preventDefault();
      const all = [...this.list.querySelectorAll("button")];
      all[all.indexOf(button) + way]?.focus();
    }
  }
}

const ORDERS = {
  latest: (a, b) => b.step - a.step || a.pod - b.pod,
  size: (a, b) => b.size - a.size || a.title.localeCompare(b.title),
  name: (a, b) => a.title.localeCompare(b.title) || a.pod - b.pod,
};

/** Containers of one pod beside each other, where the first of them is. */
function together(rows) {
  const families = new Map();
  for (const row of rows) {
    families.set(row.family, [...(families.get(row.family) || []), row]);
  }
  return [...families.values()].flat();
}

function statusOf(holding) {
  return holding.said.kind === "displaced" ? "displaced" : holding.all.length > 0 ? "exclusive" : "shared";
}

/** How many refusals there are among the first steps. */
function refusalsBefore(story, count) {
  let low = 0;
  let high = story.refusals.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (story.refusals[mid] <= count) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}
