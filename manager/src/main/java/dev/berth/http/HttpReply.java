package dev.berth.http;

import java.io.IOException;
import java.io.OutputStream;

/** An answer. */
public sealed interface HttpReply {
  /** Plain text. */
  String TEXT = "text/plain; charset=utf-8";

  /** JSON. */
  String JSON = "application/json";

  /** A page. */
  String HTML = "text/html; charset=utf-8";

  /** The status, such as 200. */
  int status();

  /** The type of the content. */
  String type();

  /** An answer that is there as a whole. */
  record Whole(int status, String type, String body) implements HttpReply {}

  /** An answer that is written bit by bit, until its writer returns or the reader has gone. */
  record Streamed(int status, String type, Body body) implements HttpReply {}

  /** Writes a body. */
  interface Body {
    /** Writes to {@code out}, which fails once the reader has gone. */
    void write(OutputStream out) throws IOException;
  }

  /** A line of text. */
  static HttpReply text(int status, String text) {
    return new Whole(status, TEXT, text);
  }

  /** A page. */
  static HttpReply html(int status, String html) {
    return new Whole(status, HTML, html);
  }

  /** JSON. */
  static HttpReply json(int status, String json) {
    return new Whole(status, JSON, json);
  }
}
