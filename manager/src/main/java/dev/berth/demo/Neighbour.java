package dev.berth.demo;

import dev.berth.cpu.InvalidInputException;
import java.util.Locale;

/** A program that uses all it gets, until its standard input is closed. */
public final class Neighbour {
  /** More than the caches of most machines hold; all threads go through the same. */
  private static final int LONGS = 16 << 20;

  /** A step of one cache line: each brings another one from memory. */
  private static final int LINE = 8;

  /** What it uses most of. */
  public enum Habit {
    /** Reckons, in registers. */
    CRUNCH,
    /** Reads and writes memory from one end to the other. */
    STREAM;

    /** As on the command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static Habit of(String word) {
      for (Habit habit : values()) {
        if (habit.word().equals(word)) {
          return habit;
        }
      }
      throw new InvalidInputException("habit: expected crunch or stream, found \"" + word + "\"");
    }
  }

  /** Keeps the compiler from leaving the work out. */
  private static volatile long result;

  private Neighbour() {}

  /** HABIT and THREADS; prints a line once all of them run. */
  public static void main(String[] arguments) {
    Leash.attach();
    Habit habit = Habit.of(arguments[0].toLowerCase(Locale.ROOT));
    int threads = Integer.parseInt(arguments[1]);
    long[] memory = new long[habit == Habit.STREAM ? LONGS : LINE];
    for (int i = 0; i < threads; i++) {
      int offset = (int) ((long) memory.length * i / threads / LINE * LINE);
      Thread.ofPlatform()
          .name("berth-" + habit.word() + "-" + i)
          .start(() -> {
            while (true) {
              result =
                  switch (habit) {
                    case CRUNCH -> crunch(offset + 1L);
                    case STREAM -> stream(memory, offset);
                  };
            }
          });
    }
    System.out.println(habit.word());
    System.out.flush();
  }

  private static long crunch(long seed) {
    long value = seed;
    for (int i = 0; i < 1 << 20; i++) {
      value ^= value << 13;
      value ^= value >>> 7;
      value ^= value << 17;
    }
    return value;
  }

  private static long stream(long[] memory, int from) {
    long sum = 0;
    for (int i = from; i < memory.length; i += LINE) {
      sum += memory[i]++;
    }
    for (int i = 0; i < from; i += LINE) {
      sum += memory[i]++;
    }
    return sum;
  }
}
