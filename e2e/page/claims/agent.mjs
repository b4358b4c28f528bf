// The page of an agent, which follows it. Each claim finds what the one before left.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { agent, ask, claim, expect, faults, open, picture, pod, realAgent, realSocket, row } from "../browser.mjs";

await claim("the page of an agent loads, and asks nobody else", async () => {
  const page = await open(agent);
  await page.waitForSelector("#live.on");
  expect((await page.title()).includes("Berth"), "expected a title");
  await page.locator("#caution", { hasText: "simulated machine: nothing is enforced" }).waitFor();
  const foreign = await page.evaluate(async () => {
    try {
      await fetch("http://127.0.0.1:9/");
      return "answered";
    } catch {
      return "kept from it";
    }
  });
  expect(foreign === "kept from it", "expected the policy to forbid others");
  faults.length = 0;
  await page.context().close();
});

await claim("it follows an agent: a pod that is applied appears, one that is removed goes", async () => {
  const page = await open(agent);
  await ask("POST", "/pods", pod("first", 8));
  await row(page, "first").waitFor();
  expect((await page.locator("#machine .cpu.owned").count()) === 8, "expected 8 CPUs of one owner");
  await ask("POST", "/pods", pod("too-large", 5000));
  await page.locator("#pods button.refused", { hasText: "too-large" }).waitFor();
  await ask("DELETE", "/pods/first");
  await row(page, "first").waitFor({ state: "detached" });
  expect((await page.locator("#machine .cpu.owned").count()) === 0, "expected no owner");
  await page.context().close();
});

if (realAgent) {
  await claim("a pod that runs on this machine appears on its CPU", async () => {
    const page = await open(realAgent);
    await ask("POST", "/pods", pod("real", 1), realSocket);
    await row(page, "real").click();
    const cpu = await page.locator("#machine .cpu.owned > span").innerText();
    const look = async () => JSON.parse(await ask("GET", "/pods", "", realSocket)).pods[0].containers[0];
    let seat = await look();
    // A container has its CPUs before its shell has told which process it is.
    for (let i = 0; i < 200 && !seat.pid; i++) {
      await page.waitForTimeout(50);
      seat = await look();
    }
    expect(seat.exclusive && seat.cpus === cpu && seat.pid > 1, `expected CPU ${cpu} and a process, found ${JSON.stringify(seat)}`);
    await picture(page, "agent-real");
    await ask("DELETE", "/pods/real", "", realSocket);
    await page.locator("#machine .cpu.owned").waitFor({ state: "detached" });
    await page.context().close();
    return `CPU ${cpu}`;
  });

  await claim("a container that the kernel has on other CPUs than wanted is told until it is back", async () => {
    const page = await open(realAgent);
    await ask("POST", "/pods", pod("moved", 1), realSocket);
    const look = async () => JSON.parse(await ask("GET", "/pods", "", realSocket)).pods[0].containers[0];
    let seat = await look();
    for (let i = 0; i < 200 && !seat.pid; i++) {
      await page.waitForTimeout(50);
      seat = await look();
    }
    const file = cpusetOf(seat.pid);
    fs.writeFileSync(file, fs.readFileSync(path.join(path.dirname(file), "..", "cpuset.cpus")));
    const told = page.locator("#kernel li");
    await told.waitFor();
    const text = await told.innerText();
    expect(/^Not as wanted: moved\/app has CPUs [-,0-9]+, wanted \d+$/.test(text), `expected both, found ${text}`);
    await picture(page, "agent-kernel");
    await told.waitFor({ state: "detached" });
    await ask("DELETE", "/pods/moved", "", realSocket);
    await page.context().close();
    return text;
  });
}

/** The file of the cgroup that decides on a process's CPUs. */
function cpusetOf(pid) {
  const lines = fs.readFileSync(`/proc/${pid}/cgroup`, "utf8").split("\n").map((line) => line.split(":"));
  const first = lines.find(([, controllers]) => controllers?.split(",").includes("cpuset"));
  const [, , group] = first ?? lines.find(([, controllers]) => controllers === "");
  return path.join("/sys/fs/cgroup", first ? "cpuset" : "", group, "cpuset.cpus");
}

await claim("a pod that is clicked explains itself, and its CPUs stand out", async () => {
  await ask("POST", "/pods", pod("asked", 4));
  const page = await open(agent);
  await row(page, "asked").click();
  await page.locator("#details .lines").waitFor();
  const text = await page.locator("#details").innerText();
  expect(/4 CPUs of its own/.test(text) && /Guaranteed/.test(text), `expected facts, found ${text}`);
  expect((await page.locator("#details .lines").innerText()).includes("CPUs"), "expected an explanation");
  expect((await page.locator("#machine .cpu.chosen").count()) === 4, "expected 4 CPUs to stand out");
  await picture(page, "agent-explains");
  await page.keyboard.press("Escape");
  await page.locator("#machine .cpu.owned").first().click();
  expect((await page.locator("#details-title").innerText()) === "asked", "expected its CPU to lead to it");
  await page.keyboard.press("Escape");
  await page.locator("#machine .cpu.shared").first().click();
  expect((await page.locator("#details").innerText()).includes("in the shared pool"), "expected the CPU's own facts");
  await page.context().close();
});

await claim("one that was refused says that it would fit now", async () => {
  await ask("POST", "/pods", pod("filler", 500));
  await ask("POST", "/pods", pod("turned-away", 400));
  const page = await open(agent);
  await row(page, "turned-away").click();
  const notes = page.locator("#details .notes");
  await notes.waitFor();
  expect((await notes.innerText()).includes("as things are now"), `expected a note, found ${await notes.innerText()}`);
  await page.keyboard.press("Escape");
  await ask("DELETE", "/pods/filler");
  await row(page, "filler").waitFor({ state: "detached" });
  await row(page, "turned-away").click();
  await page.locator("#details .notes", { hasText: "it would fit now" }).waitFor();
  await picture(page, "agent-fits-now");
  await page.context().close();
});

await claim("a pod can be tried without running it", async () => {
  const page = await open(agent);
  await page.fill("#try-cpus", "16");
  await page.click("#try-form button[type=submit]");
  await page.locator("#try-result .good").waitFor();
  expect((await page.locator("#machine .cpu.ghost").count()) === 16, "expected 16 CPUs drawn as a ghost");
  await picture(page, "agent-tries");
  expect(!(await ask("GET", "/pods")).includes("tried"), "expected nothing to be started");
  await page.fill("#try-cpus", "4000");
  await page.click("#try-form button[type=submit]");
  await page.locator("#try-result .bad").waitFor();
  expect((await page.locator("#machine .cpu.ghost").count()) === 0, "expected no ghost of one that is refused");
  await page.locator("#try-result h3").first().waitFor();
  await picture(page, "agent-refuses");
  await page.click("#try-form summary");
  await page.fill("#try-yaml", "kind: Pot");
  await page.click("#try-form button[type=submit]");
  await page.locator("#try-result", { hasText: "expected apiVersion" }).waitFor();
  await page.context().close();
});

await claim("the timeline goes back, and live returns", async () => {
  await ask("POST", "/pods", pod("later", 2));
  const page = await open(agent);
  await row(page, "later").waitFor();
  await page.click("#back");
  await row(page, "later").waitFor({ state: "detached" });
  await ask("POST", "/pods", pod("latest", 2));
  await page.waitForFunction(() => document.getElementById("slider").max - document.getElementById("slider").value === 2);
  expect((await row(page, "latest").count()) === 0, "expected to stay where one looks");
  await page.click("#now");
  await row(page, "latest").waitFor();
  await page.context().close();
});

await claim("a page that stays open takes the story anew, unseen, and not from who looks back", async () => {
  const page = await open(agent);
  await page.waitForSelector("#live.on");
  let told = 0;
  page.on("request", (request) => (told += request.url().endsWith("/story/follow") ? 1 : 0));
  await page.evaluate(() => {
    document.documentElement.dataset.grown = "4";
    window.states = [];
    new MutationObserver(() => window.states.push(document.getElementById("live").className)).observe(document.getElementById("live"), { attributes: true });
  });
  const come = async (name) => {
    await ask("POST", "/pods", pod(name, 1));
    await row(page, name).waitFor();
  };
  await come("stays");
  await row(page, "stays").click();
  await page.locator("#details .lines").waitFor();
  await page.evaluate(() => (document.querySelector("#details .lines").dataset.same = "yes"));
  await page.locator("#machine .cpu.chosen").focus();
  for (let i = 0; i < 6; i++) {
    await come(`grown-${i}`);
  }
  // What the page shows may be there before it has asked.
  const toldAgain = async (times) => {
    for (let i = 0; i < 200 && told < times; i++) {
      await page.waitForTimeout(50);
    }
  };
  await toldAgain(1);
  expect(told === 1, `expected the story told anew once, found ${told} times`);
  await page.locator('#details .lines[data-same="yes"]').waitFor();
  expect((await page.evaluate(() => document.activeElement.classList.contains("chosen"))), "expected the focus to stay");
  await page.click("#back");
  const looked = await page.inputValue("#slider");
  for (let i = 0; i < 6; i++) {
    await ask("DELETE", `/pods/grown-${i}`);
  }
  await page.waitForFunction(() => document.getElementById("slider").max - document.getElementById("slider").value === 7);
  expect(told === 1 && (await page.inputValue("#slider")) === looked, "expected nothing to change under who looks back");
  await page.click("#now");
  await row(page, "grown-").first().waitFor({ state: "detached" });
  await toldAgain(2);
  expect(told === 2, `expected it told anew at the end, found ${told} times`);
  expect((await page.evaluate(() => window.states)).length === 0, "expected the agent never to seem lost");
  await page.context().close();
});

await claim("an agent that is lost is told, and found again", async () => {
  const target = new URL(agent);
  const sockets = new Set();
  const door = net.createServer((inner) => {
    const outer = net.connect(Number(target.port), target.hostname);
    for (const end of [inner, outer]) {
      sockets.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => sockets.delete(end));
    }
    inner.pipe(outer);
    outer.pipe(inner);
  });
  await new Promise((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address();
  const page = await open(`http://127.0.0.1:${port}/`);
  await page.waitForSelector("#live.on");
  door.close();
  sockets.forEach((one) => one.destroy());
  await page.waitForSelector("#live.off");
  expect((await page.locator("#live").innerText()).includes("lost"), "expected it to be told");
  await picture(page, "agent-lost");
  await ask("POST", "/pods", pod("meanwhile", 1));
  await new Promise((resolve) => door.listen(port, "127.0.0.1", resolve));
  await page.waitForSelector("#live.on");
  await row(page, "meanwhile").waitFor();
  await page.context().close();
  door.close();
  sockets.forEach((one) => one.destroy());
});
