/* What a simulation came to, and how other configurations would have done. An agent tells neither. */

class Summary {
  constructor() {
    this.root = byId("summary");
  }

  /** Once for a story: nothing here depends on the position in it. */
  draw(story) {
    const { figures, comparison } = story;
    this.root.replaceChildren(...(comparison ? compared(comparison) : []), ...(figures ? cameTo(story, figures) : []));
  }
}

/** The configurations side by side, and which one is recommended. */
function compared(comparison) {
  const rows = (comparison.configurations || []).map((one) => comparedRow(one, one.label === comparison.recommended));
  const heads = ["Configuration", "Admitted", "Refused", "Compact", "Core", "L3", "NUMA", "Scattered", "In use"];
  return [
    make("h3", {}, `Recommended: ${comparison.recommended}`),
    sentences(comparison.why),
    figuresTable("Configurations side by side", heads, rows),
    make("p", { class: "muted note" }, "Compact: pods with CPUs of their own that lie as on an empty machine. Core, L3, NUMA: containers in as few of these as possible. Scattered: fragmentation of the free CPUs by NUMA node, on average. In use: CPUs that one container has alone, on average. The picture, the timeline and all below are of the recommended one; its settings stand under Configuration."),
    ...(comparison.leftOut?.length ? [make("h3", {}, "Left out"), sentences(comparison.leftOut)] : []),
  ];
}

function comparedRow({ label, figures }, recommended) {
  const { exclusive, alignment = {} } = figures;
  const share = (name) => (exclusive > 0 && alignment[name] ? `${Math.floor((100 * alignment[name].fewest) / Math.max(1, alignment[name].containers))} %` : "–");
  const cells = [
    whole(figures.admitted),
    whole(figures.refused),
    exclusive > 0 ? whole(figures.compact) : "–",
    share("core"),
    share("l3"),
    share("numa"),
    exclusive > 0 ? percent(figures.nodeFragmentation.mean, 1) : "–",
    exclusive > 0 ? percent(figures.use.mean, 1) : "–",
  ];
  return { name: recommended ? [make("strong", {}, label), make("span", { class: "pill" }, "recommended")] : [label], cells, best: recommended };
}

function listed(title, lines = []) {
  return lines.length === 0 ? [] : [make("h3", {}, title), make("ul", {}, ...lines.map((line) => make("li", {}, line)))];
}

/** One configuration: who came, who was refused why, and how the others lie. */
function cameTo(story, figures) {
  const span = figures.timed ? ` in ${spanInWords(figures.seconds)}` : "";
  const parts = [
    make("h3", {}, "What it came to"),
    make("p", {}, `${plural(figures.admitted + figures.refused, "pod")} came${span}: ${whole(figures.admitted)} admitted, ${whole(figures.refused)} refused.`),
  ];
  if (figures.refused > 0) {
    const rows = Object.entries(figures.reasons).map(([reason, count]) => ({ name: [reason], cells: [whole(count)] }));
    parts.push(figuresTable("Refused, by reason", ["Reason", "Pods"], rows));
  }
  parts.push(...listed("Shares, though it looks guaranteed", figures.surprises), ...listed("Not checked", figures.unchecked));
  if (figures.exclusive > 0) {
    const rows = Object.entries(figures.alignment).map(([name, one]) => ({
      name: [BOUNDARIES[name] || name],
      cells: [whole(one.within), whole(one.small), whole(one.fewest), percent(one.fewest, one.containers)],
      part: one.fewest / Math.max(1, one.containers),
    }));
    parts.push(
      figuresTable("How containers with CPUs of their own lie", ["Places", "In one", "Would fit one", "In as few as possible", ""], rows),
      make("p", {}, `${whole(figures.compact)} of ${plural(figures.exclusive, "pod")} as compactly as on an empty machine.`),
      figuresTable(figures.timed ? "Over time" : "Step by step", ["", "Mean", "Most", ""], courses(figures)),
      make("p", { class: "muted note" }, "Fragmentation is 0 where the free CPUs of one place are as many as could be together, and near 1 where they are scattered over many."),
    );
  }
  return parts;
}

function courses(figures) {
  const course = (name, { mean, most }, column) => ({
    name: [name],
    cells: [percent(mean, 1), percent(most, 1)],
    extra: curve(figures.series.map((point) => point[column])),
  });
  return [
    course("CPUs given away", figures.use, 1),
    course("fragmentation by NUMA node", figures.nodeFragmentation, 2),
    course("fragmentation by L3 cache", figures.cacheFragmentation, 3),
  ];
}

function figuresTable(caption, heads, rows) {
  const head = make("tr", {}, ...heads.map((word, i) => make("th", { scope: "col", class: i > 0 && "number" }, word)));
  const body = rows.map(({ name, cells, best, part, extra }) =>
    make(
      "tr",
      { class: best && "best" },
      make("th", { scope: "row" }, ...name),
      ...cells.map((cell) => make("td", { class: "number" }, cell)),
      ...(part === undefined ? [] : [make("td", { class: "wide" }, bar(part))]),
      ...(extra ? [make("td", { class: "wide" }, extra)] : []),
    ));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body)));
}

function sentences(all) {
  return make("ul", { class: "changes" }, ...(all || []).map((line) => make("li", {}, line)));
}

function bar(part) {
  return make("meter", { min: 0, max: 1, value: part.toFixed(3), "aria-hidden": "true" });
}

/** A line from 0 to 1 over the time; what it says stands beside it in numbers. */
function curve(values) {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "polyline");
  const last = Math.max(1, values.length - 1);
  line.setAttribute("points", values.map((value, i) => `${((200 * i) / last).toFixed(1)},${(23 - 22 * value).toFixed(1)}`).join(" "));
  svg.setAttribute("viewBox", "0 0 200 24");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("class", "curve");
  svg.setAttribute("aria-hidden", "true");
  svg.append(line);
  return svg;
}

const SVG = "http://www.w3.org/2000/svg";

function whole(number) {
  return number.toLocaleString("en");
}

function spanInWords(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 1 ? `${Math.round(seconds)} s` : minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
