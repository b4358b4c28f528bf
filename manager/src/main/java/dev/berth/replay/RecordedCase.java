package dev.berth.replay;

import tools.jackson.databind.node.ObjectNode;

/** A case with what Kubernetes answered to it: a node's life, or one merge of hints. */
public sealed interface RecordedCase permits Scenario, MergeCase {
  /** Its name. */
  String id();

  /** The case as it was read, expectation included. */
  ObjectNode recorded();
}
