/* What a machine is made of: rows [cpu, core, socket, node, cache] turned into boxes in boxes. */

const LEVELS = [
  { column: 2, name: "socket", label: (id) => `socket ${id}` },
  { column: 3, name: "node", label: (id) => `NUMA node ${id}` },
  { column: 4, name: "cache", label: (id) => `L3 ${id}` },
  { column: 1, name: "core", label: (id) => `core ${id}` },
];

class Machine {
  constructor(json) {
    this.name = json.name || "machine";
    this.rows = json.cpus || [];
    this.cpus = this.rows.map((row) => row[0]);
    this.index = new Map(this.cpus.map((cpu, i) => [cpu, i]));
    this.isolated = new Set(parseCpus(json.isolated));
    this.offline = parseCpus(json.offline);
    this.nodes = json.nodes || [...new Set(this.rows.map((row) => row[3]))].sort((a, b) => a - b);
    this.memory = new Map(this.nodes.map((id, i) => [id, (json.memory || [])[i] || {}]));
    this.kinds = (json.kinds || []).map((kind) => ({
      name: kind.name,
      cpus: new Set(parseCpus(kind.cpus)),
    }));
    this.boxes = boxesOf(this.rows);
    this.text = JSON.stringify(json);
  }

  /** Where a CPU is. */
  place(cpu) {
    const [, core, socket, node, cache] = this.rows[this.index.get(cpu)];
    return { core, socket, node, cache };
  }

  /** The different numbers of a level among some CPUs. */
  spread(cpus, column) {
    const rows = cpus.filter((cpu) => this.index.has(cpu)).map((cpu) => this.rows[this.index.get(cpu)]);
    return [...new Set(rows.map((row) => row[column]))].sort((a, b) => a - b);
  }

  count(column) {
    return new Set(this.rows.map((row) => row[column])).size;
  }

  summary() {
    const parts = [
      plural(this.count(2), "socket"),
      plural(this.nodes.length, "NUMA node"),
      plural(this.count(4), "L3 cache"),
      plural(this.count(1), "core"),
      plural(this.cpus.length, "CPU"),
    ];
    return parts.join(", ");
  }
}

/**
 * Boxes in boxes, widest outside. Where places overlap without nesting, caches are left out of the
 * picture, and then nodes; places with the same CPUs share a box.
 */
function boxesOf(rows) {
  for (const left of [[], ["cache"], ["cache", "node"], ["cache", "node", "socket"]]) {
    const levels = LEVELS.filter((level) => !left.includes(level.name));
    const roots = nested(rows, levels);
    if (roots) {
      return roots;
    }
  }
  return [];
}

function nested(rows, levels) {
  const all = [];
  levels.forEach((level, order) => {
    const groups = new Map();
    for (const row of rows) {
      const id = row[level.column];
      if (!groups.has(id)) {
        groups.set(id, []);
      }
      groups.get(id).push(row[0]);
    }
    for (const [id, cpus] of groups) {
      all.push({ order, level: level.name, id, labels: [level.label(id)], cpus: new Set(cpus), inner: [] });
    }
  });
  all.sort((a, b) => b.cpus.size - a.cpus.size || a.order - b.order || a.id - b.id);
  const roots = [];
  const innermost = new Map();
  for (const box of all) {
    // All CPUs of a box have the same box around them, or the places cross.
    const around = new Set([...box.cpus].map((cpu) => innermost.get(cpu)));
    if (around.size > 1) {
      return null;
    }
    const [outer] = around;
    (outer ? outer.inner : roots).push(box);
    box.cpus.forEach((cpu) => innermost.set(cpu, box));
  }
  sortBoxes(roots);
  return roots.map(merged);
}

function sortBoxes(boxes) {
  boxes.sort((a, b) => Math.min(...a.cpus) - Math.min(...b.cpus));
  boxes.forEach((box) => sortBoxes(box.inner));
}

/** A socket that is one node with one cache is one box with three names. */
function merged(box) {
  const inner = box.inner.map(merged);
  const nodes = box.level === "node" ? [box.id] : [];
  if (inner.length === 1 && inner[0].level !== "core" && inner[0].cpus.size === box.cpus.size) {
    const [only] = inner;
    return { ...box, labels: [...box.labels, ...only.labels], inner: only.inner, nodes: [...nodes, ...only.nodes] };
  }
  return { ...box, inner, nodes };
}
