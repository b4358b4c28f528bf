package dev.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private long now;

  @Test
  void aBurstPassesAndThenSoManyASecond() {
    TokenBucket bucket = new TokenBucket(10, 2, () -> now);
    assertThat(bucket.tryTake()).isTrue();
    assertThat(bucket.tryTake()).isTrue();
    assertThat(bucket.tryTake()).isFalse();
    now += Duration.ofMillis(100).toNanos();
    assertThat(bucket.tryTake()).isTrue();
    assertThat(bucket.tryTake()).isFalse();
  }

  @Test
  void restingEarnsNoMoreThanABurst() {
    TokenBucket bucket = new TokenBucket(10, 2, () -> now);
    now += Duration.ofHours(1).toNanos();
    assertThat(bucket.tryTake()).isTrue();
    assertThat(bucket.tryTake()).isTrue();
    assertThat(bucket.tryTake()).isFalse();
  }

  @Test
  void whoWaitsIsToldHowLong() {
    TokenBucket bucket = new TokenBucket(10, 1, () -> now);
    assertThat(bucket.take()).isEqualTo(Duration.ZERO);
    assertThat(bucket.take()).isEqualTo(Duration.ofMillis(100));
    assertThat(bucket.take()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void linesOfOthersAreOneLineAndShort() {
    assertThat(Lines.shortened("a\nb\u0007c")).isEqualTo("a b c");
    assertThat(Lines.shortened("x".repeat(1000))).hasSize(301).endsWith("…");
    assertThat(Lines.of(Status.UNAVAILABLE)).isEqualTo("UNAVAILABLE");
    assertThat(Lines.of(Status.INTERNAL.withDescription("a\nb"))).isEqualTo("INTERNAL: a b");
  }
}
