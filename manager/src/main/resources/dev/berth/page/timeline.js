/* Where in the story we are: slider, buttons, and a strip of how full and how broken it was. */

const PLAY_PAUSE = 350;

class Timeline {
  constructor(onMoved) {
    this.onMoved = onMoved;
    this.position = 0;
    this.slider = byId("slider");
    this.canvas = byId("strip");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const buttons = {
      first: () => this.go(0),
      back: () => this.go(this.position - 1),
      forward: () => this.go(this.position + 1),
      last: () => this.go(Infinity),
      now: () => this.go(Infinity),
      play: () => this.toggle(),
      refusal: () => this.nextRefusal(),
    };
    for (const [id, act] of Object.entries(buttons)) {
      byId(id).addEventListener("click", act);
    }
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  /** Another story, or one with more steps. */
  show(story, position) {
    this.story = story;
    this.move(position, "off");
  }

  atEnd() {
    return this.position === this.story?.steps.length;
  }

  /** Somebody steps, and is told where to. */
  go(position) {
    this.move(position, "polite");
  }

  /** What goes on by itself is not read aloud step by step: nobody could hear anything else. */
  move(position, aloud) {
    if (!this.story) {
      return;
    }
    byId("caption").setAttribute("aria-live", aloud);
    byId("pods-count").setAttribute("aria-live", aloud);
    this.position = Math.max(0, Math.min(position, this.story.steps.length));
    this.slider.max = String(this.story.steps.length);
    this.slider.value = String(this.position);
    this.slider.setAttribute("aria-valuetext", `step ${this.position} of ${this.story.steps.length}: ${this.sentence()}`);
    byId("first").disabled = byId("back").disabled = this.position === 0;
    byId("last").disabled = byId("forward").disabled = this.atEnd();
    byId("refusal").disabled = this.story.refusals.length === 0;
    byId("now").classList.toggle("there", this.atEnd());
    this.tell();
    this.paint();
    this.onMoved(this.position);
  }

  toggle() {
    if (this.playing || !this.story) {
      this.pause();
      return;
    }
    if (this.atEnd()) {
      this.move(0, "off");
    }
    byId("play").classList.add("playing");
    byId("play").setAttribute("aria-label", "Pause");
    // A long story takes no longer than a minute.
    const stride = Math.max(1, Math.round(this.story.steps.length / 170));
    this.playing = setInterval(() => {
      this.move(this.position + stride, "off");
      if (this.atEnd()) {
        this.pause();
      }
    }, PLAY_PAUSE);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = undefined;
    byId("play").classList.remove("playing");
    byId("play").setAttribute("aria-label", "Play");
  }

  /** The next refusal, and after the last one the first. */
  nextRefusal() {
    const refusals = this.story?.refusals;
    if (refusals?.length > 0) {
      this.go(refusals[refusalsBefore(this.story, this.position)] ?? refusals[0]);
    }
  }

  sentence() {
    if (this.position === 0) {
      return "the beginning";
    }
    const step = this.story.steps[this.position - 1];
    const who = step.pod === undefined ? "" : ` ${titleOf(this.story.pods[step.pod] || {})}`;
    const cpus = Object.values(step.cpus || {}).flatMap(parseCpus);
    const what = step.message || (cpus.length > 0 ? `CPU${cpus.length === 1 ? "" : "s"} ${formatCpus(new Set(cpus))}` : step.kind === "admitted" ? "shared pool" : "");
    return `${step.kind}${who}${what ? ": " : ""}${step.reason ? step.reason + ": " : ""}${what}`;
  }

  tell() {
    const { story, position } = this;
    const step = story.steps[position - 1];
    const caption = byId("caption");
    caption.replaceChildren(
      make("span", { class: "muted" }, `${position.toLocaleString("en")} / ${story.steps.length.toLocaleString("en")}`),
      make("span", { class: "muted time" }, step ? timeInWords(story.began, step.at || 0) : ""),
      make("span", { class: step?.kind === "refused" ? "bad" : "" }, this.sentence()),
    );
    caption.title = this.sentence();
    const free = story.givable - story.usedAfter[position];
    byId("used").textContent = `${percent(story.usedAfter[position], story.givable)} exclusive`;
    byId("broken").textContent = `${percent(story.brokenAfter[position], free)} of the free CPUs in broken caches`;
    byId("refusals").textContent = `${refusalsBefore(story, position).toLocaleString("en")} refused`;
  }

  /** Once before the next picture, however often it was asked for. */
  paint() {
    this.due ??= requestAnimationFrame(() => {
      this.due = undefined;
      this.paintNow();
    });
  }

  /** A column a pixel, whatever the number of steps. */
  paintNow() {
    const { canvas, story } = this;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!story || width === 0) {
      return;
    }
    const sharp = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    const pen = canvas.getContext("2d");
    pen.scale(sharp, sharp);
    const last = Math.max(1, story.steps.length);
    const step = (x) => Math.min(story.steps.length, Math.round((x / Math.max(1, width - 1)) * last));
    const whole = Math.max(1, story.givable);
    pen.fillStyle = inkOf("ink-used");
    for (let x = 0; x < width; x++) {
      const tall = (story.usedAfter[step(x)] / whole) * (height - 2);
      pen.fillRect(x, height - tall, 1, tall);
    }
    pen.strokeStyle = inkOf("ink-broken");
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let x = 0; x < width; x++) {
      pen.lineTo(x + 0.5, height - 1 - (story.brokenAfter[step(x)] / whole) * (height - 3));
    }
    pen.stroke();
    pen.fillStyle = inkOf("ink-refused");
    const columns = new Map();
    for (const refusal of story.refusals) {
      const x = Math.round((refusal / last) * (width - 2));
      columns.set(x, (columns.get(x) || 0) + 1);
    }
    const most = Math.max(...columns.values());
    for (const [x, count] of columns) {
      // Where every column has some, the tall ones tell.
      pen.fillRect(x, 0, 2, Math.round(3 + (6 * count) / most));
    }
    pen.fillStyle = inkOf("caption");
    pen.fillRect((this.position / last) * (width - 2), 0, 2, height);
  }
}

function inkOf(id) {
  return getComputedStyle(byId(id)).color;
}
