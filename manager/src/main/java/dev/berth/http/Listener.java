package dev.berth.http;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/** Where a server listens, and whom it lets in. */
public final class Listener implements AutoCloseable {
  private static final int LONGEST_PATH = 100;

  private final ServerSocketChannel channel;
  private final String name;
  private final Optional<UserPrincipal> owner;
  private final Optional<Path> file;
  private final Optional<Object> key;

  private Listener(
      ServerSocketChannel channel,
      String name,
      Optional<UserPrincipal> owner,
      Optional<Path> file) {
    this.channel = channel;
    this.name = name;
    this.owner = owner;
    this.file = file;
    key = file.flatMap(Listener::key);
  }

  /** By what the file system tells a file from every other. */
  private static Optional<Object> key(Path file) {
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      // A number of a file that is gone may be given again, but not with the same time.
      return Optional.of(found.fileKey() + " " + found.lastModifiedTime());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * A unix socket for its owner and root alone. The caller makes sure that nobody else listens
   * there: a file that is in the way is left over and removed.
   *
   * @throws InvalidInputException where its path is longer than the kernel takes
   * @throws IOException where the folder is not there or not ours to write
   */
  public static Listener unix(Path socket) throws IOException {
    expectShort(socket);
    Files.deleteIfExists(socket);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      // Bound under another name first, so that nobody can connect before the mode is set.
      Path hidden = socket.resolveSibling("." + socket.getFileName() + ".new");
      Files.deleteIfExists(hidden);
      channel.bind(UnixDomainSocketAddress.of(hidden));
      Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-------"));
      Files.move(hidden, socket);
      return new Listener(
          channel, socket.toString(), Optional.of(Files.getOwner(socket)), Optional.of(socket));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** The kernel has 108 bytes for it, and the name that it has at first is a little longer. */
  private static void expectShort(Path socket) {
    int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LONGEST_PATH) {
      throw new InvalidInputException(
          "socket " + socket + ": expected at most " + LONGEST_PATH + " bytes, found " + bytes);
    }
  }

  /**
   * A port; 0 for any that is free.
   *
   * @throws InvalidInputException where it is not free, or the host not this one
   */
  public static Listener port(String host, int port) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      return new Listener(
          channel,
          host + ":" + channel.socket().getLocalPort(),
          Optional.empty(),
          Optional.empty());
    } catch (IOException e) {
      channel.close();
      throw new InvalidInputException(
          "address "
              + host
              + ":"
              + port
              + ": expected one that is free here, found "
              + e.getMessage(),
          e);
    }
  }

  /** What it listens on: a path, or host and port. */
  public String name() {
    return name;
  }

  Patience patience() {
    return owner.isPresent() ? Patience.TRUSTED : Patience.OPEN;
  }

  SocketChannel accept() throws IOException {
    return channel.accept();
  }

  /** Whether the other end may ask: on a unix socket its owner and root, on a port anybody. */
  boolean admits(SocketChannel peer) throws IOException {
    if (owner.isEmpty()) {
      return true;
    }
    UserPrincipal user = peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    return user.equals(owner.get()) || user.getName().equals("root") || user.getName().equals("0");
  }

  @Override
  public void close() throws IOException {
    channel.close();
    // Another process may have its own there by now.
    if (file.isPresent() && key.isPresent() && key.equals(key(file.get()))) {
      Files.deleteIfExists(file.get());
    }
  }
}
