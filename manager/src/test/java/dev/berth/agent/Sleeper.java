package dev.berth.agent;

/** A process with several threads that do nothing. */
final class Sleeper {
  private Sleeper() {}

  public static void main(String[] arguments) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      Thread.ofPlatform().start(Sleeper::sleep);
    }
    System.out.println("there");
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void sleep() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
