/* A story is in the page as gzip in base64: a tenth of its size, and without a sign that HTML knows. */

/** The JSON that was packed. */
async function unpack({ gzip }) {
  const letters = atob(gzip);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) {
    bytes[i] = letters.charCodeAt(i);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
