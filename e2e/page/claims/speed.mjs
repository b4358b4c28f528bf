// How fast it is: nothing here asks an agent.
import { claim, expect, file, open, picture } from "../browser.mjs";

await claim("a machine of 512 CPUs is drawn in less than 200 ms of script", async () => {
  const drawn = [];
  const script = [];
  const page = await open(file("large.html"));
  expect((await page.locator("#machine .cpu").count()) === 512, "expected 512 CPUs");
  const session = await page.context().newCDPSession(page);
  for (let i = 0; i < 5; i++) {
    // Counted from here on: the whole script of a load, with what it takes to read it.
    await session.send("Performance.enable");
    await page.reload({ waitUntil: "load" });
    await page.waitForSelector("#machine .cpu", { state: "attached" });
    const { metrics } = await session.send("Performance.getMetrics");
    script.push(1000 * metrics.find((metric) => metric.name === "ScriptDuration").value);
    drawn.push(Number(await page.evaluate(() => document.documentElement.dataset.drawn)));
    await session.send("Performance.disable");
  }
  await page.context().close();
  expect(Math.min(...script) > 1, `expected some time to be measured, found ${script}`);
  // Others use these cores as well: the least of five is what the page itself takes.
  const least = Math.min(...script);
  expect(least < 200, `expected less than 200 ms of script, found ${least}`);
  expect(Math.min(...drawn) < 200, `expected it drawn within 200 ms, found ${Math.min(...drawn)}`);
  return `script ${least.toFixed(0)} ms, drawn in ${Math.min(...drawn)} ms`;
});

await claim("any of 100,000 steps is shown at once", async () => {
  const page = await open(file("long.html"));
  const took = await page.evaluate(() => {
    const slider = document.getElementById("slider");
    const times = [];
    for (let i = 0; i < 40; i++) {
      slider.value = String((i * 37_199) % 100_000);
      const began = performance.now();
      slider.dispatchEvent(new Event("input"));
      times.push(performance.now() - began);
    }
    return { max: slider.max, median: times.sort((a, b) => a - b)[20] };
  });
  expect(took.max === "100000", `expected 100000 steps, found ${took.max}`);
  expect(took.median < 50, `expected a jump within 50 ms, found ${took.median}`);
  await picture(page, "long");
  await page.context().close();
  return `a jump takes ${took.median.toFixed(1)} ms`;
});
