package dev.berth.kubelet;

import dev.berth.ledger.Configuration;
import java.time.Duration;
import java.util.List;

/**
 * What a configuration file says: how to decide, and how a node is run.
 *
 * <p>A file has the field names of KubeletConfiguration. One with {@code kind:
 * KubeletConfiguration} is a kubelet's own: keys that do not concern us are passed over, those that
 * do and are not honoured are named, and what it leaves out is as a kubelet has it. Any other is
 * ours: an unknown key is an error, and what it leaves out is as {@link #DEFAULTS} has it, which
 * works on any machine at once.
 *
 * @param configuration how to decide
 * @param reconcilePeriod how often what is there is compared with what was decided
 * @param own what stands under {@code berth:}
 * @param notHonoured what a kubelet's file says about CPUs, memory, devices, topology or
 *     reconciling that does not hold here, a line each
 */
public record NodeSettings(
    Configuration configuration,
    Duration reconcilePeriod,
    OwnSettings own,
    List<String> notHonoured) {
  /** Takes a copy. */
  public NodeSettings {
    notHonoured = List.copyOf(notHonoured);
  }

  /** Settings of which all hold. */
  public NodeSettings(Configuration configuration, Duration reconcilePeriod, OwnSettings own) {
    this(configuration, reconcilePeriod, own, List.of());
  }

  /** What holds without a file: static policy, the lowest CPU reserved, best-effort alignment. */
  public static final NodeSettings DEFAULTS = read("", "", List.of());

  /**
   * Reads a file.
   *
   * @param source what it is called in an error
   * @param text the file; an empty one leaves everything to the defaults
   * @param flags what overrides it: a policy's options as a whole, feature gates one by one
   * @throws dev.berth.cpu.InvalidInputException naming line, key, what was expected and found
   */
  public static NodeSettings read(String source, String text, List<FlagSetting> flags) {
    return SettingsReader.of(source, text, flags).read();
  }

  /** Every setting as a file that {@link #read} reads to the same, whatever they came from. */
  public String yaml() {
    return SettingsText.write(this);
  }
}
