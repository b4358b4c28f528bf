/**
 * A story as a page: one HTML file that needs no network, no framework and no other file.
 *
 * <p>The sources lie beside the classes as a browser would like them, {@code page.html}, {@code
 * style.css} and a script for each concern; {@link dev.berth.page.StoryPage} puts them together.
 * The same page has a finished story inside it, or follows an agent that is still writing one.
 *
 * {@snippet :
 * try (Writer file = Files.newBufferedWriter(path)) {
 *   StoryPage.write(json -> json.write(story), file); // opens from a disk, with all it shows in it
 * }
 * HttpReply.html(200, StoryPage.live()); // asks where it came from: /story/follow, /explain
 * }
 *
 * <p>The rule of this package: names come from strangers. In the file they stand packed, in letters
 * and digits that no HTML reader takes for anything else, on the page they are only ever set as
 * text, and the page's own policy lets no script run but the one that is known by its hash.
 */
@NullMarked
package dev.berth.page;

import org.jspecify.annotations.NullMarked;
