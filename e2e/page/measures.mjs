// What is measured inside the page. Each function is sent there as text, so it needs nothing else.

/** Every visible text whose contrast with what lies behind it is less than 4.5 to 1. */
export function contrastFaults() {
  const parse = (text) => {
    const found = /^rgba?\(([^)]+)\)$/.exec(text);
    if (!found) {
      throw new Error(`expected a colour, found ${text}`);
    }
    const [red, green, blue, alpha = 1] = found[1].split(/[ ,/]+/).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (top, bottom) => {
    const mix = (name) => top[name] * top.alpha + bottom[name] * (1 - top.alpha);
    return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const layer = parse(getComputedStyle(one).backgroundColor);
      layers.push(layer);
      if (layer.alpha === 1) {
        break;
      }
    }
    return layers.reduceRight((below, layer) => over(layer, below), { red: 255, green: 255, blue: 255, alpha: 1 });
  };
  const light = ({ red, green, blue }) => {
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faults = new Set();
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    // What is dimmed beside a selection, or cannot be pressed now, is meant to step back.
    const meant = element.closest("script, style, noscript, .dimmed, :disabled, option");
    if (text === "" || meant || element.getClientRects().length === 0 || !element.checkVisibility()) {
      continue;
    }
    count++;
    const ground = behind(element);
    const ink = over(parse(getComputedStyle(element).color), ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) {
      faults.add(`${ratio.toFixed(2)} of "${text.slice(0, 20)}" in ${element.className || element.tagName}`);
    }
  }
  return { faults: [...faults], count };
}

/** What reaches beyond the window, where it should not. */
export function overflow() {
  const wide = document.documentElement.scrollWidth;
  if (wide <= window.innerWidth) {
    return [];
  }
  return [`${wide} px`, ...[...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
    .slice(0, 4)
    .map((one) => `${one.tagName}.${one.className}`)];
}

/** The story that is packed into the page. */
export async function unpacked() {
  const { gzip } = JSON.parse(document.getElementById("story").textContent);
  const bytes = Uint8Array.from(atob(gzip), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
