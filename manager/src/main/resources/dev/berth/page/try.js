/* A pod that is only tried: the agent says what would become of it, and nothing is started. */

class Trial {
  constructor(onGhost) {
    this.onGhost = onGhost;
    this.yaml = byId("try-yaml");
    for (const id of ["try-cpus", "try-memory", "try-devices"]) {
      byId(id).addEventListener("input", () => this.write());
    }
    byId("try-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
    byId("try-clear").addEventListener("click", () => this.clear());
    this.write();
  }

  /** The fields as YAML. Whatever is typed stands in quotes. */
  write() {
    const limits = { cpu: byId("try-cpus").value.trim(), memory: byId("try-memory").value.trim() };
    for (const part of byId("try-devices").value.split(/[\s,]+/).filter(Boolean)) {
      const [resource, count = "1"] = part.split("=");
      limits[resource] = count;
    }
    const entries = Object.entries(limits).filter(([, amount]) => amount !== "");
    this.yaml.value = [
      "apiVersion: v1",
      "kind: Pod",
      "metadata: {name: tried}",
      "spec:",
      "  containers:",
      "  - name: app",
      "    command: [sleep, infinity]",
      "    resources:",
      `      limits: {${entries.map(([name, amount]) => `${JSON.stringify(name)}: ${JSON.stringify(amount)}`).join(", ")}}`,
      "",
    ].join("\n");
  }

  async ask() {
    const result = byId("try-result");
    result.replaceChildren(make("p", { class: "muted" }, "asking the agent…"));
    try {
      const response = await fetch("/explain", {
        method: "POST",
        headers: { "Content-Type": "application/yaml" },
        body: this.yaml.value,
      });
      const text = await response.text();
      if (response.ok) {
        this.tell(JSON.parse(text));
      } else {
        this.fail(text);
      }
    } catch (failure) {
      this.fail(`The agent does not answer: ${failure.message}`);
    }
  }

  fail(line) {
    byId("try-result").replaceChildren(make("p", { class: "bad" }, line));
    byId("try-clear").hidden = false;
    this.onGhost(new Set());
  }

  tell(answer) {
    const granted = answer.decision === "granted";
    const cpus = Object.entries(answer.cpus || {});
    byId("try-result").replaceChildren(
      make("p", { class: granted ? "good" : "bad" }, make("strong", {}, answer.headline || (granted ? "It fits." : "It is refused."))),
      make("dl", { class: "about" }, ...cpus.flatMap(([container, list]) => [make("dt", {}, container || "the pod"), make("dd", {}, make("code", {}, list))])),
      ...notes(answer),
      ...help(answer),
      ...(answer.lines?.length ? [make("details", {}, make("summary", {}, "How it came to that"), lines(answer.lines))] : []),
    );
    byId("try-clear").hidden = false;
    this.onGhost(new Set(cpus.flatMap(([, list]) => parseCpus(list))));
  }

  clear() {
    byId("try-result").replaceChildren();
    byId("try-clear").hidden = true;
    this.onGhost(new Set());
  }
}
