package dev.berth.agent;

import java.time.Instant;

/**
 * Something that happened.
 *
 * @param number counted from 1 since the agent's start
 * @param time when
 * @param kind one word: {@code admitted}, {@code refused}, {@code started}, {@code ended} …
 * @param pod whom it is about; empty where it is about the machine or the agent
 * @param message one line
 */
public record Event(long number, Instant time, String kind, String pod, String message) {}
