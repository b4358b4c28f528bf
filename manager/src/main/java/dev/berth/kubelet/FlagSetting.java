package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.YamlValue.Entry;
import dev.berth.kubelet.YamlValue.Mapping;
import dev.berth.kubelet.YamlValue.Scalar;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A setting that was given on the command line and overrides the file.
 *
 * @param setting its name in a file, {@code cpuManagerPolicy}
 * @param flag what it was called, {@code --cpu-manager-policy}; errors begin with it
 * @param text its value; of a setting that is a map, {@code name=value,…}
 */
public record FlagSetting(String setting, String flag, String text) {
  /** The single value. */
  YamlField single() {
    return new YamlField("", flag, new Scalar(flag, text, true));
  }

  /** The map, and what it adds to: a name that both have is the flag's. */
  YamlField map(Map<String, YamlField> before) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    before.forEach((name, field) -> entries.put(name, new Entry(field.origin(), field.value())));
    for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        throw new InvalidInputException(
            flag + ": expected name=value,…, found \"" + YamlField.shown(pair) + "\"");
      }
      String value = pair.substring(equals + 1).strip();
      entries.put(
          pair.substring(0, equals).strip(), new Entry(flag, new Scalar(flag, value, true)));
    }
    return new YamlField("", flag, new Mapping(flag, entries, entries.size()));
  }
}
