package dev.berth.hints;

/**
 * What a merge came to.
 *
 * @param affinity where everything should be placed
 * @param preferred whether every resource is then placed as well as it can be, all on the same
 *     nodes
 * @param admitted whether the policy lets the pod in
 * @param bounded whether a search met its bound, so that a better answer may exist; the answer
 *     given is still one that the offers allow, or all nodes and not preferred
 */
public record Merged(Affinity affinity, boolean preferred, boolean admitted, boolean bounded) {
  /** The same answer with the policy's word on it. */
  Merged admitted(boolean verdict) {
    return new Merged(affinity, preferred, verdict, bounded);
  }
}
