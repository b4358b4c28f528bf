// What is told of a story: tables, comparisons, simulations, what was cut.
import { readFile } from "node:fs/promises";
import { agent, bare, claim, expect, file, open, picture, row } from "../browser.mjs";
import { unpacked } from "../measures.mjs";

await claim("the table says who owns what", async () => {
  const page = await open(file("large.html"));
  await page.click("#as-table");
  const owned = await page.evaluate(() => document.querySelectorAll("#machine .cpu.owned").length);
  const counted = await page.evaluate(() =>
    [...document.querySelectorAll("#table tbody tr")]
      .filter((line) => line.cells[0].textContent !== "")
      .reduce((sum, line) => sum + Number(line.cells[4].textContent), 0));
  expect(owned > 0 && owned === counted, `expected ${owned} CPUs, found ${counted}`);
  await picture(page, "large-table");
  await page.context().close();
  return `${counted} CPUs`;
});

await claim("a comparison opens with its table, its recommendation and why", async () => {
  const page = await open(file("compared.html"));
  const told = await page.evaluate(unpacked).then((story) => story.comparison);
  const text = await page.locator("#summary").innerText();
  expect(text.includes(`Recommended: ${told.recommended}`), `expected the recommended one, found ${text.slice(0, 200)}`);
  expect(told.why.length > 1 && told.why.every((line) => text.includes(line)), "expected every reason");
  const rows = await page.locator("#summary table").first().locator("tbody tr").allInnerTexts();
  expect(rows.length === told.configurations.length && rows.length > 10, `expected a row each, found ${rows.length}`);
  told.configurations.forEach(({ label, figures }, i) => {
    const [name, admitted, refused] = rows[i].split("\t");
    expect(name.includes(label) && name.includes("recommended") === (label === told.recommended), `expected ${label}, found ${name}`);
    expect(Number(admitted.replace(",", "")) === figures.admitted && Number(refused.replace(",", "")) === figures.refused, `expected ${label}'s counts, found ${rows[i]}`);
  });
  expect(!(await page.locator("#legend").isVisible()), "expected no marks explained that are not there");
  await picture(page, "compared");
  await page.keyboard.press("s");
  expect(await page.locator("#legend").isVisible(), "expected the picture's marks explained");
  expect(await page.locator("#machine").isVisible(), "expected the picture");
  expect(!(await page.locator("#summary").isVisible()), "expected the summary to be away");
  await picture(page, "compared-picture");
  await page.context().close();
  return `${rows.length} configurations`;
});

await claim("a simulation is told in figures, and opens where it was fullest", async () => {
  const page = await open(file("compared.html"));
  const { figures } = await page.evaluate(unpacked);
  const text = await page.locator("#summary").innerText();
  for (const [reason, count] of Object.entries(figures.reasons)) {
    expect(text.includes(`${reason}\t${count}`), `expected ${count} for ${reason}`);
  }
  expect(figures.refused > 0 && text.includes(`${figures.admitted} admitted, ${figures.refused} refused`), "expected the counts");
  const numa = figures.alignment.numa;
  expect(text.includes(`NUMA nodes\t${numa.within}\t${numa.small}\t${numa.fewest}\t`), "expected how they lie");
  const exclusive = async () => Number(/(\d+) of/.exec(await page.locator("#facts").innerText())[1]);
  const fullest = await exclusive();
  await page.keyboard.press("End");
  expect((await exclusive()) < fullest, `expected fewer than ${fullest} CPUs of somebody at the end`);
  await page.context().close();
  const agents = await open(agent);
  expect(!(await agents.locator("#as-summary").isVisible()), "expected no summary of what goes on");
  await agents.context().close();
  return `${fullest} CPUs`;
});

await claim("a page from a disk says how to try a pod, and how to ask for what it does not keep", async () => {
  const page = await open(file("guests.html"));
  const command = "berth explain -f POD.yaml --machine 'pack:1 core:4 pu:2' --config FILE";
  expect((await page.locator("#try").innerText()).includes(command), `expected the command, found ${await page.locator("#try").innerText()}`);
  expect(!(await page.locator("#try-form").isVisible()), "expected no form that nobody answers");
  await row(page, "").first().click();
  const text = await page.locator("#details .why").innerText();
  expect(text.includes("first 1,000 steps") && text.includes(command), `expected what to do, found ${text}`);
  await page.context().close();
});

await claim("containers of one pod of another runtime stand together, with one letter", async () => {
  const page = await open(file("guests.html"));
  const seen = async () => ({
    names: await page.locator("#pods .name").allInnerTexts(),
    badges: await page.locator("#pods .badge").allInnerTexts(),
    count: await page.locator("#pods-count").innerText(),
    owned: (await page.locator("#machine .cpu.owned b").allInnerTexts()).sort().join(""),
  });
  const expectSeen = async (names, badges, count, owned) => {
    const found = JSON.stringify(await seen());
    expect(found === JSON.stringify({ names, badges, count, owned }), `expected ${names} ${badges} ${count} ${owned}, found ${found}`);
  };
  await page.keyboard.press("ArrowLeft");
  await expectSeen(["db · log", "db · app", "web · app"], ["A", "A", "B"], "2", "AAAB");
  await picture(page, "guests");
  await page.keyboard.press("ArrowRight");
  await expectSeen(["db · log", "web · app"], ["A", "B"], "2", "AB");
  await page.context().close();
});

await claim("a page that was cut short says so", async () => {
  const whole = await readFile(new URL(file("two.html")), "utf8");
  const cut = whole.replace(/("gzip":"[A-Za-z0-9+/]{200})[^"]*/, "$1");
  expect(cut.length < whole.length, "expected something to cut");
  const page = await bare(cut);
  await page.locator("#title", { hasText: "cannot be read" }).waitFor();
  await page.context().close();
});

await claim("hostile names are shown and nothing else", async () => {
  const page = await open(file("hostile.html"));
  const name = "<script>alert(1)</script>";
  await row(page, name).first().click();
  expect((await page.locator("#details-title").innerText()).includes(name), "expected the name as it is");
  await page.click("#as-table");
  expect((await page.locator("#table", { hasText: name }).count()) === 1, "expected it in the table");
  expect((await page.locator("script").count()) === 2, "expected the page's own scripts alone");
  expect((await page.locator("img").count()) === 0, "expected no image");
  await page.context().close();
});
