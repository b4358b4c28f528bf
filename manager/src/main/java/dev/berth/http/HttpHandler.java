package dev.berth.http;

/** Answers requests, several at a time and each on a thread of its own. */
public interface HttpHandler {
  /** Answers one; what it throws becomes a line in the log and the status 500. */
  HttpReply answer(HttpRequest request);
}
