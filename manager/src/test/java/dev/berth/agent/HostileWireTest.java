package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.protocols.nri.StopContainerRequest;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever bytes come from a runtime: a line in the log, and the agent serves the next one. */
@Tag("slow")
class HostileWireTest extends Hostility {
  /** Of HTTP/2's first words; one that has sent less might go on, and is waited for. */
  private static final int GREETING_BYTES = 24;

  @Test
  void noiseEndsItsConnectionWithOneLine() throws IOException {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] noise = new byte[1 + random.nextInt(3_000)];
      random.nextBytes(noise);
      boolean inside = round % 3 > 0;
      int lane = round % 3;
      each(peer -> {
        if (inside) {
          peer.send(lane, noise);
        } else {
          peer.raw(noise);
        }
      });
    }
    RealAgent.await("a line for each", () -> ended() >= ROUNDS);
    assertThat(ended()).isBetween((long) ROUNDS, ROUNDS + 1L);
  }

  @Test
  void whatIsTooLongOrForNobodyEndsItsConnection() throws IOException {
    endsWith(
        peer -> peer.raw(ByteBuffer.allocate(8).putInt(1).putInt(LARGEST + 11).array()),
        "frame: expected at most 4194314 bytes, found 4194315");
    endsWith(
        peer -> peer.send(ByteBuffer.allocate(10).putInt(-1).array()),
        "message: expected at most 4194304 bytes, found 4294967295");
    endsWith(
        peer -> {
          for (int lane = 3; lane < 1_000; lane++) {
            int number = lane;
            whileOpen(() -> peer.send(number, new byte[1 << 16]));
          }
        },
        "frame: expected connection 1 or 2, found 3");
    endsWith(
        peer -> peer.send(HostilePeer.message(1, (byte) 1, new byte[] {-1, -1, -1})),
        "request: expected protobuf, found ");
    endsWith(
        peer -> peer.send(HostilePeer.message(1, (byte) 77, new byte[0])),
        "message: expected a request or a response, found type 77");
  }

  @Test
  void whoeverStopsInTheMiddleIsNotWaitedFor() throws IOException {
    endsWith(
        peer -> peer.raw(ByteBuffer.allocate(12).putInt(1).putInt(100).array()),
        "frame: expected the rest of it within 10000 ms");
    endsWith(
        peer -> peer.send(ByteBuffer.allocate(14).putInt(100).putInt(1).array()),
        "message: expected the rest of it within 10000 ms");
    each(peer -> peer.send(ByteBuffer.allocate(14).putInt(100).putInt(1).array()));
  }

  @Test
  void answersToNoQuestionAreNobodysBusiness() throws IOException {
    each(peer -> {
      for (int number = -500; number < 500; number++) {
        peer.answer(number);
      }
      peer.ask("StopContainer", StopContainerRequest.getDefaultInstance());
      assertThat(peer.frame()).isNotEmpty();
    });
  }

  @Test
  void theOtherSocketsOfTheAgentTakeNoiseTheSameWay() throws Exception {
    Random random = new Random(20261116);
    List<Path> others =
        List.of(folder.resolve("pods.sock"), folder.resolve("plugins/kubelet.sock"));
    for (Path other : others) {
      RealAgent.await("the socket " + other, () -> Files.exists(other));
      for (int round = 0; round < ROUNDS; round++) {
        byte[] noise = new byte[GREETING_BYTES + random.nextInt(3_000)];
        random.nextBytes(noise);
        try (SocketChannel stranger = SocketChannel.open(UnixDomainSocketAddress.of(other))) {
          stranger.write(ByteBuffer.wrap(noise));
          untilShut(() -> hear(stranger));
        }
      }
    }
    assertThat(agent.ask("GET", "/healthz", "")).isEqualTo("ok\n");
    for (Path other : others) {
      // Each socket has ten lines at once, and one a second afterwards.
      RealAgent.await("ten lines about " + other, () -> endsOf(other).size() >= 10);
      assertThat(endsOf(other)).hasSizeLessThanOrEqualTo(ROUNDS);
    }
  }

  private static void hear(SocketChannel stranger) throws IOException {
    if (stranger.read(ByteBuffer.allocate(1_000)) < 0) {
      throw new EOFException();
    }
  }

  private List<String> endsOf(Path other) throws IOException {
    try (var lines = Files.lines(agent.log())) {
      return lines.filter(line -> line.contains(other + ": connection ended: ")).toList();
    }
  }
}
