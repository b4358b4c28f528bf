package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
  private final List<RuntimeException> faults = new ArrayList<>();
  private final Loop loop = new Loop(faults::add);

  @AfterEach
  void end() {
    loop.close();
  }

  @Test
  void whoAsksWhenNobodyIsBeforeDoesItAtOnce() {
    assertThat(loop.callHere(Thread::currentThread)).isEqualTo(Thread.currentThread());
    assertThat(loop.call(Thread::currentThread)).isNotEqualTo(Thread.currentThread());
  }

  @Test
  void whatWasSubmittedBeforeIsDoneBefore() throws Exception {
    List<String> done = new ArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    loop.submit(() -> {
      await(go);
      done.add("first");
    });
    loop.submit(() -> done.add("second"));
    Thread asking = Thread.ofPlatform().start(() -> loop.callHere(() -> done.add("third")));
    go.countDown();
    asking.join();
    assertThat(done).containsExactly("first", "second", "third");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A counter without a lock of its own comes out right only where deeds never overlap. */
  @Test
  void deedsNeverOverlapWhoeverDoesThem() throws Exception {
    int[] count = new int[1];
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Random random = new Random(t);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 2_000; i++) {
                  switch (random.nextInt(4)) {
                    case 0 -> loop.submit(() -> count[0]++);
                    case 1 -> loop.call(() -> count[0]++);
                    case 2 -> {
                      var _ = loop.schedule(() -> count[0]++, 1);
                    }
                    default -> loop.callHere(() -> count[0]++);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    RealAgent.await("all deeds", () -> loop.call(() -> count[0]) == 8_000);
    assertThat(faults).isEmpty();
  }

  @Test
  void nothingIsDoneAfterTheEnd() {
    loop.close();
    assertThatThrownBy(() -> loop.callHere(() -> "late")).isInstanceOf(AgentEndsException.class);
    loop.submit(() -> faults.add(new IllegalStateException("late")));
    assertThat(faults).isEmpty();
  }

  @Test
  void whatIsLeftWaitsForTheAnswer() {
    List<String> done = new ArrayList<>();
    loop.callHere(() -> {
      loop.afterwards(() -> done.add("left"));
      return done.add("answer");
    });
    assertThat(done).containsExactly("answer");
    loop.rest();
    loop.rest();
    assertThat(done).containsExactly("answer", "left");
  }

  @Test
  void nothingOvertakesWhatIsLeft() {
    List<String> done = new ArrayList<>();
    for (int way = 0; way < 2; way++) {
      loop.callHere(() -> {
        loop.afterwards(() -> done.add("left"));
        return true;
      });
      switch (way) {
        case 0 -> loop.call(() -> done.add("next"));
        default -> loop.callHere(() -> done.add("next"));
      }
    }
    assertThat(done).containsExactly("left", "next", "left", "next");
  }

  @Test
  void whereNobodyWaitsNothingIsLeft() {
    List<String> done = new ArrayList<>();
    loop.call(() -> {
      loop.afterwards(() -> done.add("at once"));
      return done.add("behind");
    });
    assertThat(done).containsExactly("at once", "behind");
  }

  @Test
  void aDefectInWhatIsLeftIsToldAndTheRestIsDone() {
    List<String> done = new ArrayList<>();
    loop.callHere(() -> {
      loop.afterwards(() -> {
        throw new IllegalStateException("broken");
      });
      loop.afterwards(() -> done.add("left"));
      return true;
    });
    loop.close();
    assertThat(done).containsExactly("left");
    assertThat(faults).hasSize(1);
  }

  @Test
  void whatIsLeftWhileAnotherHasTheTurnIsDoneAfterIt() throws Exception {
    List<String> done = new CopyOnWriteArrayList<>();
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    loop.submit(() -> {
      began.countDown();
      await(go);
      done.add("first");
    });
    await(began);
    loop.leave(() -> done.add("left"));
    loop.rest();
    assertThat(done).isEmpty();
    go.countDown();
    RealAgent.await("all deeds", () -> done.size() == 2);
    assertThat(done).containsExactly("first", "left");
  }
}
