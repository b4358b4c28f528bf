/* Sets of CPUs in Linux' list format: "0-3,8". */

/** The numbers of a list, in its order. */
function parseCpus(text) {
  const cpus = [];
  for (const part of (text || "").split(",")) {
    if (part === "") {
      continue;
    }
    const [first, last = first] = part.split("-").map(Number);
    for (let cpu = first; cpu <= last; cpu++) {
      cpus.push(cpu);
    }
  }
  return cpus;
}

/** The list of some numbers. */
function formatCpus(cpus) {
  const sorted = [...cpus].sort((a, b) => a - b);
  const parts = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] === sorted[end] + 1) {
      end++;
    }
    parts.push(end === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[end]}`);
    i = end + 1;
  }
  return parts.join(",");
}
