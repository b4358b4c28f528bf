package dev.berth.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads a request within limits. */
final class RequestReader {
  /** Bytes of the lines before the body. */
  static final int HEAD_LIMIT = 16 << 10;

  /** Bytes of the body. */
  static final int BODY_LIMIT = 1 << 20;

  private static final List<String> METHODS = List.of("GET", "POST", "DELETE");

  private final InputStream in;
  private final BodyRoom room;
  private int left = HEAD_LIMIT;

  private RequestReader(InputStream in, BodyRoom room) {
    this.in = in;
    this.room = room;
  }

  /** A request that cannot be answered: a status, and a line for the one who asked. */
  static final class Garbled extends Exception {
    private static final long serialVersionUID = 1;

    final int status;

    Garbled(int status, String line) {
      super(line);
      this.status = status;
    }

    String line() {
      return String.valueOf(getMessage());
    }
  }

  static HttpRequest read(InputStream in, BodyRoom room) throws IOException, Garbled {
    return new RequestReader(in, room).request();
  }

  private HttpRequest request() throws IOException, Garbled {
    String[] words = line().split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
      throw new Garbled(400, "request: expected METHOD PATH HTTP/1.1, found something else");
    }
    if (!METHODS.contains(words[0])) {
      throw new Garbled(405, "request: expected GET, POST or DELETE, found " + shown(words[0]));
    }
    int question = words[1].indexOf('?');
    String path = decoded(question < 0 ? words[1] : words[1].substring(0, question));
    if (!path.startsWith("/")) {
      throw new Garbled(400, "request: expected a path from / on, found \"" + shown(path) + "\"");
    }
    Map<String, String> query = query(question < 0 ? "" : words[1].substring(question + 1));
    Map<String, String> headers = headers();
    return new HttpRequest(words[0], path, query, headers, body(headers));
  }

  private Map<String, String> headers() throws IOException, Garbled {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new Garbled(400, "header: expected NAME: VALUE, found \"" + shown(line) + "\"");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private String body(Map<String, String> headers) throws IOException, Garbled {
    if (headers.containsKey("transfer-encoding")) {
      throw new Garbled(411, "body: expected Content-Length, found Transfer-Encoding");
    }
    String length = headers.getOrDefault("content-length", "0");
    if (!length.matches("[0-9]{1,18}")) {
      throw new Garbled(400, "Content-Length: expected a number, found \"" + shown(length) + "\"");
    }
    if (Long.parseLong(length) > BODY_LIMIT) {
      throw new Garbled(
          413, "body: expected at most " + BODY_LIMIT + " bytes, found " + shown(length));
    }
    int expected = Integer.parseInt(length);
    if (!room.take(expected)) {
      throw new Garbled(503, "body: expected few large ones at a time, found too many");
    }
    byte[] body = in.readNBytes(expected);
    if (body.length < expected) {
      throw new Garbled(
          400, "body: expected " + expected + " bytes, found " + body.length + " and the end");
    }
    return new String(body, StandardCharsets.UTF_8);
  }

  private String line() throws IOException, Garbled {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new Garbled(400, "request: expected a whole one, found the end of it");
      }
      if (--left < 0) {
        throw new Garbled(431, "request: expected at most " + HEAD_LIMIT + " bytes before a body");
      }
      line.append((char) c);
    }
    int end = line.length();
    return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
  }

  private static Map<String, String> query(String text) throws Garbled {
    Map<String, String> query = new HashMap<>();
    for (String part : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = part.indexOf('=');
      query.put(
          decoded(equals < 0 ? part : part.substring(0, equals)),
          equals < 0 ? "" : decoded(part.substring(equals + 1)));
    }
    return query;
  }

  private static String decoded(String text) throws Garbled {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Garbled(400, "path: expected %XX, found \"" + shown(text) + "\"");
    }
  }

  private static String shown(String text) {
    String clean = text.replaceAll("[^ -~]", "?");
    return clean.length() <= 40 ? clean : clean.substring(0, 37) + "...";
  }
}
