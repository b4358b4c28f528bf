package dev.berth.cri;

/** Hears what happens to containers. Called on one thread, one after the other. */
public interface CriListener {
  /** A runtime tells from now on. What happened before is lost: list, to know. */
  void connected();

  /** The runtime is away, or tells no longer; {@link #connected} says when it does again. */
  void lost();

  /** Something happened. */
  void happened(CriEvent event);

  /** The runtime has no events, as far as it is known. Listing is all there is. */
  void unsupported();
}
