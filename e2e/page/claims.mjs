// Opens the page in a real browser and checks what is claimed of it, a line of JSON for each claim.
//
//   node claims.mjs FOLDER AGENT-URL AGENT-SOCKET [REAL-URL REAL-SOCKET]
//
// The first agent pretends to be a machine of 512 CPUs and starts nothing. The second, where there
// is one, starts processes on this machine.
// ONLY=WORDS in the environment checks those claims alone that have these words in their name.
// FOLDER has two.html, large.html, long.html, hostile.html and guests.html, stories as PageTest writes them, and
// compared.html, which `berth simulate --compare` wrote; pictures are put there.
import { browser } from "./browser.mjs";

// One after the other: modules that are imported side by side would run so as well.
for (const subject of ["speed", "agent", "hands", "stories", "looks"]) {
  await import(`./claims/${subject}.mjs`);
}
await browser.close();
