// Keys, what is remembered and read aloud, and a page without a story.
import { readFile } from "node:fs/promises";
import { agent, ask, bare, claim, expect, file, open, pod, row } from "../browser.mjs";

await claim("everything can be done with the keyboard alone", async () => {
  const page = await open(file("large.html"));
  const value = () => page.evaluate(() => Number(document.getElementById("slider").value));
  const { keyboard } = page;
  const last = await value();
  await keyboard.press("ArrowLeft");
  expect((await value()) === last - 1, "expected a step back");
  await keyboard.press("Shift+ArrowLeft");
  expect((await value()) === last - 11, "expected ten steps back");
  await keyboard.press("Home");
  expect((await value()) === 0, "expected the first step");
  await keyboard.press("r");
  expect((await page.locator("#caption").innerText()).includes("refused"), "expected a refusal");
  await keyboard.press("End");
  expect((await value()) === last, "expected the last step");
  await keyboard.press("Space");
  await page.waitForFunction(() => Number(document.getElementById("slider").value) > 1);
  await keyboard.press("Space");
  expect((await page.getAttribute("#play", "aria-label")) === "Play", "expected it to pause");
  await keyboard.press("End");
  await keyboard.press("/");
  await keyboard.type("exclusive");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  expect(await page.locator("#details").isVisible(), "expected details of the pod");
  await keyboard.press("Escape");
  expect(!(await page.locator("#details").isVisible()), "expected them closed");
  await keyboard.press("m");
  const first = await page.evaluate(() => document.activeElement.dataset.cpu);
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowDown");
  const moved = await page.evaluate(() => document.activeElement.dataset.cpu);
  expect(moved !== undefined && moved !== first, "expected another CPU");
  await keyboard.press("Enter");
  expect(await page.locator("#details").isVisible(), "expected details of the CPU");
  await keyboard.press("t");
  expect(await page.locator("#table table").isVisible(), "expected the table");
  await keyboard.press("t");
  await keyboard.press("?");
  expect(await page.locator("#help").isVisible(), "expected the keys");
  await keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  const bare = [];
  for (let i = 0; i < 30; i++) {
    await keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const element = document.activeElement;
      const shown = element.id === "slider" ? document.getElementById("strip") : element;
      return element === document.body || getComputedStyle(shown).outlineStyle !== "none" ? "" : element.outerHTML.slice(0, 80);
    });
    if (seen) {
      bare.push(seen);
    }
  }
  expect(bare.length === 0, `expected the focus to be seen on ${bare}`);
  await page.context().close();
});

await claim("where keys scroll, they do not move in time", async () => {
  const page = await open(file("compared.html"), { width: 800 });
  const value = () => page.evaluate(() => document.getElementById("slider").value);
  const keeps = async (where) => {
    const before = await value();
    await page.locator(where).first().focus();
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End", "Space"]) {
      await page.keyboard.press(key);
      expect((await value()) === before, `expected ${key} in ${where} to scroll alone`);
    }
    expect((await page.getAttribute("#play", "aria-label")) === "Play", `expected nothing to play from ${where}`);
  };
  await keeps("#summary .scroll");
  await page.keyboard.press("t");
  await keeps("#table");
  await page.click(".more summary");
  await keeps("#configuration");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  expect((await value()) === "0", "expected it to move from elsewhere");
  await page.keyboard.press("ArrowRight");
  await row(page, "").first().click();
  await keeps("#details .lines");
  await page.context().close();
});

await claim("keys of one letter can be switched off, for good", async () => {
  const page = await open(file("two.html"));
  const dark = () => page.evaluate(() => document.documentElement.style.colorScheme);
  await page.keyboard.press("?");
  await page.uncheck("#shortcuts");
  await page.keyboard.press("Escape");
  for (const key of ["d", "t", "?", "/", "r"]) {
    await page.keyboard.press(key);
  }
  expect((await dark()) === "light" && !(await page.locator("#help").isVisible()), "expected letters to do nothing");
  expect(!(await page.locator("#table").isVisible()), "expected the picture to stay");
  await page.keyboard.press("Home");
  expect((await page.inputValue("#slider")) === "0", "expected other keys to go on");
  const kept = () => page.evaluate(() => `${localStorage.getItem("berth.shortcuts")}, checked ${document.getElementById("shortcuts").checked}`);
  const before = await kept();
  await page.reload({ waitUntil: "load" });
  await page.waitForSelector("#machine .cpu", { state: "attached" });
  const after = await kept();
  await page.keyboard.press("d");
  expect((await dark()) === "light", `expected it to be remembered, found ${before} before and ${after} after`);
  // Without letters the button is the only way there, also where the page is narrow or magnified.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.click("#help-open");
  await page.check("#shortcuts");
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  expect((await dark()) === "dark", "expected letters to act again");
  await page.context().close();
});

await claim("a key right behind the end of the help acts, though the focus is still in there", async () => {
  const page = await open(file("two.html"));
  await page.keyboard.press("?");
  await page.focus("#shortcuts");
  const left = await page.evaluate(() => {
    document.getElementById("help").close();
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
    return `${document.getElementById("slider").value} by ${document.activeElement.id || document.activeElement.localName}`;
  });
  expect(left.startsWith("0 by"), `expected the first step, found ${left}`);
  await page.context().close();
});

await claim("who comes back to the page finds what it shows, and no older choice", async () => {
  const page = await open(file("two.html"));
  const shown = () => page.evaluate(() => [document.getElementById("slider").value, document.getElementById("caption").textContent, document.getElementById("sort").value].join(", "));
  const first = await shown();
  await page.keyboard.press("Home");
  await page.selectOption("#sort", { index: 1 });
  expect((await shown()) !== first, "expected another step and another order");
  await page.goto("about:blank");
  const other = await page.context().newPage();
  await other.goto(file("two.html"));
  await other.waitForSelector("#machine .cpu", { state: "attached" });
  await other.keyboard.press("?");
  await other.uncheck("#shortcuts");
  await other.close();
  await page.goBack({ waitUntil: "load" });
  await page.waitForSelector("#machine .cpu", { state: "attached" });
  // What a browser puts back by itself comes after the load.
  await page.waitForTimeout(300);
  expect((await shown()) === first, `expected ${first}, found ${await shown()}`);
  expect(!(await page.isChecked("#shortcuts")), "expected the keys to be switched off, as on the other page");
  await page.context().close();
});

await claim("steps are read aloud to who makes them, not while it plays or is live", async () => {
  const page = await open(agent);
  const aloud = () => page.evaluate(() => ["caption", "pods-count"].map((id) => document.getElementById(id).getAttribute("aria-live")).join(" "));
  await ask("POST", "/pods", pod("quiet", 1));
  await row(page, "quiet").waitFor();
  expect((await aloud()) === "off off", `expected silence while live, found ${await aloud()}`);
  await page.keyboard.press("ArrowLeft");
  expect((await aloud()) === "polite polite", `expected a step to be told, found ${await aloud()}`);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number(document.getElementById("slider").value) > 0);
  expect((await aloud()) === "off off", `expected silence while it plays, found ${await aloud()}`);
  await page.keyboard.press("Space");
  await page.fill("#filter", "quiet");
  expect((await aloud()) === "off polite", `expected the count to be told, found ${await aloud()}`);
  await page.context().close();
});

await claim("without a story every button and key does nothing, and nothing fails", async () => {
  const whole = await readFile(new URL(file("two.html")), "utf8");
  const page = await bare(whole.replace(/"gzip":"[^"]*"/, '"gzip":"AAAA"'));
  await page.locator("#title", { hasText: "cannot be read" }).waitFor();
  for (const key of ["Escape", "Home", "End", "Space", "ArrowLeft", "r", "t", "m"]) {
    await page.keyboard.press(key);
  }
  await page.evaluate(() => {
    document.querySelectorAll(".switch button, .timeline button, #details-close").forEach((button) => button.click());
    for (const [id, kind] of [["slider", "input"], ["filter", "input"], ["sort", "change"]]) {
      document.getElementById(id).dispatchEvent(new Event(kind));
    }
  });
  await page.context().close();
});
