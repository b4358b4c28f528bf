// How it looks: colours, widths, pictures of all of it.
import { claim, expect, file, open, picture, row } from "../browser.mjs";
import { contrastFaults, overflow } from "../measures.mjs";

await claim("all text can be read in light and dark colours", async () => {
  const counts = { light: 0, dark: 0 };
  for (const name of ["two.html", "large.html", "compared.html"]) {
    const page = await open(file(name));
    for (const act of [async () => {}, () => row(page, "").first().click(), () => page.click("#as-table"), () => page.click("#help-open")]) {
      await act();
      for (const colorScheme of Object.keys(counts)) {
        await page.emulateMedia({ colorScheme });
        const { faults: found, count } = await page.evaluate(contrastFaults);
        counts[colorScheme] += count;
        expect(found.length === 0, `${name}, ${colorScheme}: expected a contrast of 4.5, found ${found.slice(0, 5).join(", ")}`);
      }
    }
    await page.context().close();
  }
  return `${counts.light} and ${counts.dark} texts`;
});

await claim("the button for light and dark turns one into the other", async () => {
  const page = await open(file("two.html"));
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click("#theme");
  expect((await paper()) !== light, "expected other colours");
  await page.keyboard.press("d");
  expect((await paper()) === light, "expected the first ones again");
  await page.context().close();
});

await claim("nothing is wider than the window, from 320 to 2560 pixels", async () => {
  const widths = [320, 360, 600, 800, 1051, 1440, 2560];
  for (const name of ["two.html", "large.html", "hostile.html", "compared.html"]) {
    const page = await open(file(name));
    // One page takes all widths: the style knows nothing but the width it has now.
    for (const act of [async () => {}, () => row(page, "").first().click(), () => page.click("#as-table")]) {
      await act();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(overflow);
        expect(wide.length === 0, `${name} at ${width}: expected it to fit, found ${wide}`);
      }
    }
    await page.context().close();
  }
});

await claim("it is seen in light and dark, narrow and wide", async () => {
  let pictures = 0;
  for (const name of ["two", "large", "compared"]) {
    const page = await open(file(`${name}.html`));
    for (const [width, height] of [[1440, 900], [360, 740]]) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        const seen = await picture(page, `${name}-${width}-${colorScheme}`);
        expect(seen.length > 5000, `${name} at ${width}: expected a picture, found ${seen.length} bytes`);
        pictures++;
      }
    }
    await page.context().close();
  }
  return `${pictures} pictures`;
});
