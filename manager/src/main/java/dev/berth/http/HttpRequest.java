package dev.berth.http;

import java.util.Map;

/**
 * A request, read whole.
 *
 * @param method {@code GET}, {@code POST} or {@code DELETE}
 * @param path decoded, without what stands behind a question mark
 * @param query decoded, the last of a name
 * @param headers by name in small letters, the last of a name
 * @param body the text that came with it; empty where nothing did
 */
public record HttpRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    String body) {
  /** Takes copies. */
  public HttpRequest {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }
}
