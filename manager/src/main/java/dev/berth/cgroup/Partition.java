package dev.berth.cgroup;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether the kernel keeps the CPUs of a group apart from those of others; version 2 only. */
public enum Partition {
  /** They are scheduled with the parent's. */
  MEMBER,
  /** They are scheduled by themselves. */
  ROOT,
  /** They are scheduled by themselves, and no load is balanced among them. */
  ISOLATED;

  /** The kernel's word. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Partition> ofWord(String word) {
    return Arrays.stream(values()).filter(partition -> partition.word().equals(word)).findFirst();
  }
}
