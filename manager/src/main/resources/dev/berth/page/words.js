/* Small things: elements, numbers and times in words. Text is only ever set as text. */

function byId(id) {
  return document.getElementById(id);
}

/** An element with attributes and children; strings become text and nothing else. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

function plural(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

function percent(part, whole) {
  return whole === 0 ? "0 %" : `${Math.round((100 * part) / whole)} %`;
}

function bytesInWords(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${units[unit]}`;
}

/** A time of day where it is known, else the time since the beginning. */
function timeInWords(began, seconds) {
  if (began) {
    return new Date(Date.parse(began) + seconds * 1000).toLocaleTimeString("en-GB");
  }
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const days = Math.floor(whole / 86400);
  const clock = `${two(Math.floor(whole / 3600) % 24)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return days > 0 ? `day ${days + 1}, ${clock}` : clock;
}

/** A, B, … Z, AA, AB … */
function letters(number) {
  let text = "";
  for (let rest = number; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    text = String.fromCharCode(65 + (rest % 26)) + text;
  }
  return text;
}

/** A container of another runtime is one of its own to the agent, with its name behind the pod's. */
function titleOf(pod) {
  const name = pod.name || pod.uid || "?";
  const title = !pod.namespace || pod.namespace === "default" ? name : `${pod.namespace}/${name}`;
  const container = (pod.uid || "").split("/")[1];
  return container ? `${title} · ${container}` : title;
}

/** What those have in common who are containers of one pod. */
function familyOf(pod) {
  return (pod?.uid || "").split("/")[0];
}
