package dev.berth.cri;

/**
 * Who serves on the socket.
 *
 * @param name such as {@code containerd}
 * @param version the runtime's own, such as {@code v2.4.2}
 * @param api the interface's, such as {@code v1}
 */
public record RuntimeVersion(String name, String version, String api) {}
