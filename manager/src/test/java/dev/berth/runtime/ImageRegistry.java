package dev.berth.runtime;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Hands the one image out, on loopback only, to a runtime that takes images from registries and
 * nowhere else. What it has is a folder in OCI's image layout.
 *
 * <p>Whoever fetches from a registry tries TLS first. A server of the JDK's would wait for the end
 * of that line for ever; this one hangs up, and is asked again without.
 */
final class ImageRegistry implements AutoCloseable {
  private static final int TLS_HANDSHAKE = 0x16;
  private static final String MANIFESTS = "/manifests/";
  private static final String BLOBS = "/blobs/sha256:";

  private final Path blobs;
  private final JsonNode manifest;
  private final ServerSocket server;
  private final Thread thread;

  private ImageRegistry(Path layout) throws IOException {
    blobs = layout.resolve("blobs/sha256");
    String index = Files.readString(layout.resolve("index.json"));
    manifest = new ObjectMapper().readTree(index).path("manifests").path(0);
    server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    thread = Thread.ofVirtual().name("image-registry").start(this::serve);
  }

  /** Unpacks an OCI archive into a new folder, and serves what was in it. */
  static ImageRegistry of(Path archive, Path layout) throws IOException {
    Files.createDirectory(layout);
    Process unpacking =
        new ProcessBuilder("tar", "-xf", archive.toString(), "-C", layout.toString()).start();
    if (unpacking.onExit().join().exitValue() != 0) {
      throw new IOException("the image cannot be unpacked");
    }
    return new ImageRegistry(layout);
  }

  int port() {
    return server.getLocalPort();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        answer(socket);
      } catch (IOException | UncheckedIOException e) {
        // Whoever asked has hung up, or this was closed.
      }
    }
  }

  private void answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    int first = in.read();
    if (first == TLS_HANDSHAKE || first < 0) {
      return;
    }
    InputStream whole =
        new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) first}), in);
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(whole, StandardCharsets.ISO_8859_1));
    String path = reader.readLine().split(" ", -1)[1];
    while (!reader.readLine().isEmpty()) {
      // What else is wished for is of no concern: there is one image.
    }
    respond(path, socket.getOutputStream());
  }

  private void respond(String path, OutputStream out) throws IOException {
    if (path.contains(MANIFESTS)) {
      String digest = manifest.path("digest").asString().replace("sha256:", "");
      send(out, "200 OK", manifest.path("mediaType").asString(), blob(digest));
    } else if (path.contains(BLOBS)) {
      String digest = path.substring(path.indexOf(BLOBS) + BLOBS.length());
      send(out, "200 OK", "application/octet-stream", blob(digest));
    } else {
      send(out, path.equals("/v2/") ? "200 OK" : "404 Not Found", "text/plain", new byte[0]);
    }
  }

  private byte[] blob(String digest) throws IOException {
    return Files.readAllBytes(blobs.resolve(digest));
  }

  private static void send(OutputStream out, String status, String type, byte[] body)
      throws IOException {
    String head =
        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(status, type, body.length);
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
  }

  @Override
  public void close() throws IOException {
    server.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
