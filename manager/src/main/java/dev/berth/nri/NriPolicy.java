package dev.berth.nri;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerNote;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.PodNote;
import dev.berth.protocols.nri.PodSandbox;
import java.util.List;

/**
 * What a plugin decides. Each is called on the connection's one thread, and must answer well within
 * the runtime's time-out; none may call the runtime back before it has answered.
 */
public interface NriPolicy {
  /** A container is refused; the runtime fails its creation with these words. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * A refusal.
     *
     * @param line what the one who created the container reads
     */
    public RefusedException(String line) {
      super(line);
    }
  }

  /** A connection was made; what the runtime calls itself, and the time it gives for an answer. */
  void connected(String runtime, String version, long timeoutMilliseconds);

  /** Whether a pod's annotation of this name is of use; others are dropped where many come. */
  boolean reads(String annotation);

  /** All there is when a connection is made. */
  List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<Container> containers);

  /**
   * A container is about to be created; a CreateContainerResponse, as it stands on the wire.
   *
   * @throws InvalidProtocolBufferException where the request cannot be read
   * @throws RefusedException where it is not to be
   */
  byte[] create(Creation creation) throws RefusedException, InvalidProtocolBufferException;

  /** The runtime is about to change a container's resources for somebody else. */
  List<ContainerUpdate> update(PodSandbox pod, Container container, LinuxResources resources);

  /** A container's resources have been changed. */
  void updated(ContainerNote container);

  /** A container has been started; its first process is known. */
  void started(ContainerNote container);

  /** A container has stopped. */
  void stopped(ContainerNote container);

  /** A container is gone. */
  void removed(ContainerNote container);

  /** A pod has stopped, and none of its containers runs or will. */
  void podStopped(PodNote pod);

  /** A pod is gone, with whatever was left of it. */
  void podRemoved(PodNote pod);

  /** The runtime has its answer to the latest of these: what it need not wait for can be done. */
  void answered();
}
