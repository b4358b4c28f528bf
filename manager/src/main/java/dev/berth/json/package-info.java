/**
 * JSON as trees, without Jackson's mapper.
 *
 * <p>A mapper knows how to turn anything into anything; what it sets up for that, calendars and
 * time zones among it, takes longer than most commands do. Here are only trees, which {@link
 * dev.berth.json.Json} reads and writes as a mapper would.
 *
 * {@snippet :
 * JsonNode machine = Json.read(text);
 * String line = Json.write(machine.path("cpus"));
 * }
 *
 * <p>The rule of this package: it imports nobody, and any other may import it.
 */
@NullMarked
package dev.berth.json;

import org.jspecify.annotations.NullMarked;
