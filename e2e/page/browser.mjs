// What claims are made with: a real browser, pages in it, an agent that is asked beside it.
import http from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";

export const [folder, agent, socket, realAgent, realSocket] = process.argv.slice(2);
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
/** What the pages of the claim of now complained of. */
export const faults = [];

/** Checks one, and prints how that went. */
export async function claim(name, check) {
  if (!name.includes(process.env.ONLY ?? "")) {
    return;
  }
  const began = Date.now();
  faults.length = 0;
  let failure = "";
  let detail = "";
  try {
    detail = (await check()) ?? "";
    if (faults.length > 0) {
      failure = faults.join("; ");
    }
  } catch (error) {
    failure = [...faults, error.message || error].join("; ").replaceAll("\n", " ").slice(0, 600);
  }
  console.log(JSON.stringify({ claim: name, failure, detail: String(detail), milliseconds: Date.now() - began }));
}

export function expect(condition, words) {
  if (!condition) {
    throw new Error(words);
  }
}

/** A page that has nothing to complain of; what it does complain of fails the claim. */
async function fresh({ width = 1440, height = 900, scheme = "light" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  return page;
}

/** The same with HTML that came from nowhere. */
export async function bare(html) {
  const page = await fresh();
  await page.setContent(html);
  return page;
}

/** The same, from an address, that asks nobody but whom it came from. */
export async function open(url, options = {}) {
  const page = await fresh(options);
  const origin = url.startsWith("file:") ? url : new URL(url).origin;
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) {
      faults.push(`asked ${request.url()}`);
    }
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForSelector("#machine .cpu", { state: "attached" });
  return page;
}

export function file(name) {
  return `file://${path.resolve(folder, name)}`;
}

export function picture(page, name) {
  return page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Asks the agent on its socket, as the command line does. */
export function ask(method, target, body = "", socketPath = socket) {
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath, method, path: target, headers: { "Content-Length": Buffer.byteLength(body) } }, (response) => {
      let text = "";
      response.on("data", (data) => (text += data));
      response.on("end", () => resolve(text));
    });
    request.on("error", reject);
    request.end(body);
  });
}

export function pod(name, cpus) {
  const limits = cpus === 0 ? "{}" : `{cpu: ${cpus}, memory: 64Mi}`;
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  terminationGracePeriodSeconds: 1\n  containers:\n  - {name: app, command: [sleep, infinity], resources: {limits: ${limits}}}\n`;
}

export const row = (page, name) => page.locator("#pods button", { hasText: name });
