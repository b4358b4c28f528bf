/* The machine as boxes in boxes, a button for each CPU; only what has changed is touched. */

const COLOURS = 12;
const MARKS = 3;

class Picture {
  constructor(root, onChosen) {
    this.root = root;
    this.onChosen = onChosen;
    root.addEventListener("click", (event) => {
      const cell = event.target.closest(".cpu");
      if (cell) {
        this.focusOn(cell);
        onChosen(Number(cell.dataset.cpu));
      }
    });
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("focus", () => this.enter());
  }

  /** Draws another machine. Of the same one all stays, and with it the focus. */
  draw(story) {
    const same = this.story?.machine.text === story.machine.text;
    this.story = story;
    const { machine } = story;
    this.shown = new Array(machine.cpus.length);
    if (same) {
      return;
    }
    this.cells = new Array(machine.cpus.length);
    this.root.dataset.size = machine.cpus.length <= 16 ? "large" : machine.cpus.length <= 96 ? "medium" : "small";
    this.root.setAttribute("aria-label", `Machine ${machine.name}: ${machine.summary()}`);
    const boxes = machine.boxes.map((box) => this.box(box));
    this.root.replaceChildren(this.row(machine.boxes, boxes), ...this.beside(machine));
    if (this.cells.length > 0) {
      this.focused = this.cells[0];
      this.focused.tabIndex = 0;
    }
  }

  box(box) {
    if (box.level === "core") {
      return this.core(box);
    }
    const memory = box.nodes
      .map((id) => this.story.machine.memory.get(id)?.bytes || 0)
      .reduce((sum, bytes) => sum + bytes, 0);
    const label = make("div", { class: "label" }, make("span", {}, box.labels.join(" · ")));
    if (memory > 0) {
      label.append(make("span", { class: "muted" }, bytesInWords(memory)));
    }
    const inner = box.inner.map((one) => this.box(one));
    return make(
      "div",
      { class: `box ${box.level}`, role: "group", "aria-label": box.labels.join(", ") },
      label,
      this.row(box.inner, inner),
    );
  }

  /** Boxes beside each other; many cores in about as many rows as make a calm shape. */
  row(boxes, elements) {
    const row = make("div", { class: "row" }, ...elements);
    if (boxes.length > 8 && boxes[0].level === "core") {
      row.classList.add("cores");
      row.style.setProperty("--columns", String(columnsOf(boxes.length)));
    }
    return row;
  }

  core(box) {
    const core = make("div", { class: "core" });
    for (const cpu of box.cpus) {
      core.append(this.cell(cpu));
    }
    return core;
  }

  cell(cpu) {
    const i = this.story.machine.index.get(cpu);
    const cell = make(
      "button",
      { class: "cpu", type: "button", tabindex: "-1", "data-cpu": cpu },
      make("span", {}, String(cpu)),
      make("b", {}),
    );
    this.cells[i] = cell;
    return cell;
  }

  beside(machine) {
    const chips = machine.nodes
      .filter((id) => !machine.rows.some((row) => row[3] === id))
      .map((id) => `NUMA node ${id} without CPUs, ${bytesInWords(machine.memory.get(id).bytes || 0)}`);
    if (machine.offline.length > 0) {
      chips.push(`offline: ${formatCpus(machine.offline)}`);
    }
    return chips.length === 0 ? [] : [make("div", { class: "chips" }, ...chips.map((chip) => make("span", { class: "chip" }, chip)))];
  }

  /** Shows a state, what is selected in it, and what a pod that is only tried would get. */
  show(state, selection, ghost) {
    const shared = new Set(parseCpus(state.shared));
    const { machine, reserved } = this.story;
    const chosen = new Set(selection.cpus || []);
    for (let i = 0; i < this.cells.length; i++) {
      const cpu = machine.cpus[i];
      const pod = state.owner[i];
      const letter = pod === NOBODY ? undefined : state.holdings.get(pod).letter;
      const marks = [
        pod === NOBODY ? (reserved.has(cpu) ? "reserved" : shared.has(cpu) ? "shared" : "idle") : "owned",
        machine.isolated.has(cpu) ? "isolated" : "",
        chosen.size > 0 ? (chosen.has(cpu) ? "chosen" : "dimmed") : "",
        ghost.has(cpu) ? "ghost" : "",
      ];
      const key = `${pod} ${letter} ${marks.join(" ")}`;
      if (this.shown[i] !== key) {
        this.shown[i] = key;
        this.paint(this.cells[i], cpu, pod, letter, marks);
      }
    }
  }

  paint(cell, cpu, pod, letter, marks) {
    const owned = letter !== undefined;
    cell.className = `cpu ${marks.filter((mark) => mark !== "").join(" ")}`;
    if (owned) {
      cell.classList.add(`owner-${letter % COLOURS}`, `mark-${Math.floor(letter / COLOURS) % MARKS}`);
    }
    cell.lastChild.textContent = owned ? letters(letter) : marks.includes("ghost") ? "?" : "";
    const who = owned ? titleOf(this.story.pods[pod]) : wordsOf(marks[0]);
    const more = ["isolated", "ghost"].filter((mark) => marks.includes(mark)).map((mark) => MORE[mark]);
    cell.title = [`CPU ${cpu}: ${who}`, ...more].join(", ");
    cell.setAttribute("aria-label", cell.title);
    cell.setAttribute("aria-pressed", String(marks.includes("chosen")));
  }

  enter() {
    this.focused?.focus();
  }

  focusOn(cell) {
    this.focused.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
    this.focused = cell;
  }

  /** Arrows go to the nearest CPU on that side, wherever the boxes have put it. */
  key(event) {
    const side = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (side && event.target.classList.contains("cpu")) {
      event.preventDefault();
      event.stopPropagation();
      const next = nearest(event.target, this.cells, side);
      if (next) {
        this.focusOn(next);
      }
    }
  }
}

const MORE = { isolated: "isolated by the kernel", ghost: "the tried pod would get it" };

function wordsOf(mark) {
  return { reserved: "reserved for the system", shared: "shared pool", idle: "nobody's" }[mark];
}

function columnsOf(count) {
  const rows = Math.max(1, Math.round(Math.sqrt(count / 4)));
  return Math.ceil(count / rows);
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function nearest(from, cells, [right, down]) {
  const [x, y] = middle(from);
  let best;
  let least = Infinity;
  for (const cell of cells) {
    const [cx, cy] = middle(cell);
    const along = (cx - x) * right + (cy - y) * down;
    const aside = Math.abs((cx - x) * down) + Math.abs((cy - y) * right);
    if (along > 1 && along + 3 * aside < least) {
      least = along + 3 * aside;
      best = cell;
    }
  }
  return best;
}
