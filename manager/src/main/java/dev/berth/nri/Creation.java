package dev.berth.nri;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.protobuf.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A container that is about to be created: a CreateContainerRequest, as far as it is of use. Read
 * by hand, since whoever creates the container waits.
 */
public final class Creation {
  private static final int POD = 1 << 3 | Fields.BYTES;
  private static final int CONTAINER = 2 << 3 | Fields.BYTES;
  private static final int ANNOTATIONS = 6 << 3 | Fields.BYTES;
  private static final int KEY = 1 << 3 | Fields.BYTES;
  private static final int VALUE = 2 << 3 | Fields.BYTES;

  /** More sizes of pages than any machine has, so that one more is seen to be too many. */
  private static final int MOST_SIZES = 100;

  private final byte[] request;
  private String podId = "";
  private String podName = "";
  private String podUid = "";
  private String namespace = "";
  private String cgroupParent = "";
  private String id = "";
  private String name = "";
  private long memory;
  private long shares;
  private long quota;
  private long period;
  private SortedMap<String, Long> hugepages = Collections.emptySortedMap();

  private Creation(byte[] request) {
    this.request = request;
  }

  /**
   * Reads a request.
   *
   * @throws InvalidProtocolBufferException where it is none
   */
  public static Creation read(byte[] request) throws InvalidProtocolBufferException {
    Creation creation = new Creation(request);
    for (Fields fields = Fields.of(request); fields.next(); ) {
      switch (fields.key()) {
        case POD -> creation.readPod(fields.message());
        case CONTAINER -> creation.readContainer(fields.message());
        default -> {}
      }
    }
    return creation;
  }

  private void readPod(Fields pod) throws InvalidProtocolBufferException {
    while (pod.next()) {
      switch (pod.key()) {
        case 1 << 3 | Fields.BYTES -> podId = pod.text();
        case 2 << 3 | Fields.BYTES -> podName = pod.text();
        case 3 << 3 | Fields.BYTES -> podUid = pod.text();
        case 4 << 3 | Fields.BYTES -> namespace = pod.text();
        case 8 << 3 | Fields.BYTES -> {
          for (Fields linux = pod.message(); linux.next(); ) {
            if (linux.key() == (3 << 3 | Fields.BYTES)) {
              cgroupParent = linux.text();
            }
          }
        }
        default -> {}
      }
    }
  }

  private void readContainer(Fields container) throws InvalidProtocolBufferException {
    while (container.next()) {
      switch (container.key()) {
        case 1 << 3 | Fields.BYTES -> id = container.text();
        case 3 << 3 | Fields.BYTES -> name = container.text();
        case 11 << 3 | Fields.BYTES -> {
          for (Fields linux = container.message(); linux.next(); ) {
            if (linux.key() == (3 << 3 | Fields.BYTES)) {
              readResources(linux.message());
            }
          }
        }
        default -> {}
      }
    }
  }

  private void readResources(Fields resources) throws InvalidProtocolBufferException {
    while (resources.next()) {
      switch (resources.key()) {
        case 1 << 3 | Fields.BYTES -> {
          for (Fields own = resources.message(); own.next(); ) {
            memory = own.key() == (1 << 3 | Fields.BYTES) ? value(own, memory) : memory;
          }
        }
        case 2 << 3 | Fields.BYTES -> readCpu(resources.message());
        case 3 << 3 | Fields.BYTES -> readHugepages(resources.message());
        default -> {}
      }
    }
  }

  private void readCpu(Fields cpu) throws InvalidProtocolBufferException {
    while (cpu.next()) {
      switch (cpu.key()) {
        case 1 << 3 | Fields.BYTES -> shares = value(cpu, shares);
        case 2 << 3 | Fields.BYTES -> quota = value(cpu, quota);
        case 3 << 3 | Fields.BYTES -> period = value(cpu, period);
        default -> {}
      }
    }
  }

  /** A number that may be missing is a message of its own. */
  private static long value(Fields optional, long before) throws InvalidProtocolBufferException {
    long value = before;
    for (Fields fields = optional.message(); fields.next(); ) {
      value = fields.key() == (1 << 3 | Fields.NUMBER) ? fields.number() : value;
    }
    return value;
  }

  private void readHugepages(Fields limit) throws InvalidProtocolBufferException {
    String size = "";
    long bytes = 0;
    while (limit.next()) {
      switch (limit.key()) {
        case 1 << 3 | Fields.BYTES -> size = limit.text();
        case 2 << 3 | Fields.NUMBER -> bytes = limit.number();
        default -> {}
      }
    }
    if (hugepages.isEmpty()) {
      hugepages = new TreeMap<>();
    }
    if (hugepages.size() < MOST_SIZES) {
      hugepages.put(size, bytes);
    }
  }

  /**
   * An annotation of the pod; empty where it has none of this name. Looked for when it is asked
   * for, for a pod may have a quarter of a megabyte of others.
   *
   * @throws InvalidProtocolBufferException where it is no text
   */
  public String annotation(String called) throws InvalidProtocolBufferException {
    byte[] wanted = called.getBytes(StandardCharsets.UTF_8);
    String found = "";
    for (Fields fields = Fields.of(request); fields.next(); ) {
      if (fields.key() == POD) {
        for (Fields pod = fields.message(); pod.next(); ) {
          if (pod.key() == ANNOTATIONS && isCalled(pod.message(), wanted)) {
            found = valueOf(pod.message());
          }
        }
      }
    }
    return found;
  }

  private static boolean isCalled(Fields entry, byte[] wanted)
      throws InvalidProtocolBufferException {
    boolean called = false;
    while (entry.next()) {
      called = entry.key() == KEY ? entry.is(wanted) : called;
    }
    return called;
  }

  private static String valueOf(Fields entry) throws InvalidProtocolBufferException {
    String value = "";
    while (entry.next()) {
      value = entry.key() == VALUE ? entry.text() : value;
    }
    return value;
  }

  /** The runtime's own name for the pod as it is now. */
  public String podId() {
    return podId;
  }

  /** The pod's name. */
  public String podName() {
    return podName;
  }

  /** The pod's uid; empty outside Kubernetes. */
  public String podUid() {
    return podUid;
  }

  /** The pod's namespace. */
  public String namespace() {
    return namespace;
  }

  /** The group of the pod. */
  public String cgroupParent() {
    return cgroupParent;
  }

  /** The runtime's own name for the container. */
  public String id() {
    return id;
  }

  /** The container's name. */
  public String name() {
    return name;
  }

  /** The most bytes of memory; 0 where nothing is said of it, as below. */
  public long memory() {
    return memory;
  }

  /** CPU shares. */
  public long shares() {
    return shares;
  }

  /** Microseconds of CPU in a period. */
  public long quota() {
    return quota;
  }

  /** Microseconds. */
  public long period() {
    return period;
  }

  /** The most bytes by size of page. */
  public SortedMap<String, Long> hugepages() {
    return Collections.unmodifiableSortedMap(hugepages);
  }
}
