package dev.berth.agent;

/** The agent is about to end and does nothing more; another may be asked. */
final class AgentEndsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  AgentEndsException(Throwable cause) {
    super("the agent is about to end", cause);
  }
}
