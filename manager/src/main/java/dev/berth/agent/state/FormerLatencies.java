package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.linux.ResumeLatency;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What CPUs had before they were kept awake, in {@code berth_awake} of the state folder, so that
 * whoever comes after one that was killed can give it back. No file where nobody is kept awake.
 *
 * <p>Nothing is synced: what is written outlives us, whatever ends us, and the end of the machine
 * takes along what CPUs were given. So what another run of the machine wrote is void.
 */
public final class FormerLatencies {
  /** The name of the file. */
  public static final String FILE = "berth_awake";

  private static final String BOOT = "boot";
  private static final String CPUS = "cpus";

  private final Disk disk;
  private final String bootId;

  /**
   * Of a folder that somebody has.
   *
   * @param bootId the kernel's id of this boot
   */
  public FormerLatencies(Path folder, String bootId) {
    disk = new Disk(folder, false);
    this.bootId = bootId;
  }

  /**
   * What was written last, by CPU; nothing where that was before the machine's start.
   *
   * @throws InvalidInputException where it is garbled
   * @throws IOException where it cannot be read
   */
  public SortedMap<Integer, String> read() throws IOException {
    Path file = disk.path(FILE);
    if (!Files.exists(file)) {
      return Collections.emptySortedMap();
    }
    try {
      JsonNode json = Json.read(Files.readString(file));
      boolean ours = JsonFields.text(json, BOOT).equals(bootId);
      Map<String, String> texts = JsonFields.map(json, CPUS, JsonFields::string);
      SortedMap<Integer, String> values = new TreeMap<>();
      texts.forEach((cpu, value) -> values.put(number(cpu), checked(value)));
      return ours ? values : Collections.emptySortedMap();
    } catch (JacksonException e) {
      throw new InvalidInputException(file + ": expected what the agent wrote, found another", e);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(file + ": " + e.line(), e);
    }
  }

  private static int number(String cpu) {
    if (!cpu.matches("0|[1-9][0-9]{0,6}")) {
      throw new InvalidInputException("expected the number of a CPU, found \"" + cpu + "\"");
    }
    return Integer.parseInt(cpu);
  }

  private static String checked(String value) {
    if (!ResumeLatency.isValue(value)) {
      throw new InvalidInputException("expected n/a or microseconds, found \"" + value + "\"");
    }
    return value;
  }

  /**
   * Writes it down, in one go.
   *
   * @throws IOException where that could not be; what was written last is there still
   */
  public void write(SortedMap<Integer, String> values) throws IOException {
    if (values.isEmpty()) {
      disk.delete(FILE);
      return;
    }
    JsonLine json = new JsonLine().object().put(BOOT, bootId);
    json.object(CPUS);
    values.forEach((cpu, value) -> json.put(String.valueOf(cpu), value));
    json.end();
    String line = json.end() + "\n";
    disk.create(FILE, line.getBytes(StandardCharsets.US_ASCII));
    disk.install(FILE);
  }
}
