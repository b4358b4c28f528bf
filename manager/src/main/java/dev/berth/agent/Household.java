package dev.berth.agent;

import dev.berth.agent.found.FoundGroups;
import dev.berth.agent.found.KernelHoldings;
import dev.berth.agent.found.UnknownContainer;
import dev.berth.agent.state.Recovered;
import dev.berth.cgroup.Changes;
import dev.berth.cpu.CpuSet;
import dev.berth.explain.Objections;
import dev.berth.linux.ProcessId;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Those who live on the machine, and whatever keeps them in their places: pods that the agent
 * starts itself, or containers of another runtime. On the loop only, but for its beginning and end.
 */
sealed interface Household permits Embedded, Guests {
  /**
   * Looks around before anything is written.
   *
   * @throws dev.berth.cpu.InvalidInputException where these settings cannot go on with what is
   *     there
   */
  void check(Recovered recovered);

  /** Finds those again who were there before. */
  void recover(Recovered recovered, boolean sameBoot, KernelHoldings kernel, FoundGroups found)
      throws IOException;

  /** Has everybody in their places, and begins. */
  void begin() throws IOException;

  Residents<? extends Resident> residents();

  /** What would speak against a pod that the engine lets in. */
  Objections objections(Pod pod);

  /** What is different about a pod that comes here from how a whole one is decided on. */
  List<String> remarks(Pod pod);

  /** Who sits where now. */
  Seating seating();

  /** Looks at everybody, and at what could not be done before. */
  void look();

  /** Looks which containers run that no record names, and what is in the groups of the others. */
  void survey();

  /** The containers that run and that no record names. */
  List<UnknownContainer> unknown();

  /** Begins to end the containers of an unknown holder; none where none runs. */
  Optional<CompletableFuture<Boolean>> endUnknown(String uid);

  /** What an operator should look at, a line each. */
  List<String> concerns();

  /** Looks at every place, and repairs what others changed. */
  Changes reconcile();

  /** Everybody may have other CPUs than before. */
  void resettle();

  /** Somebody who is not a resident has left, and what they had is free. */
  void roomMade();

  /** Somebody is about to read the metrics. */
  void measure();

  /** Why it should not be counted on now; empty where it can be. */
  Optional<String> unready();

  /**
   * Begins to remove a pod; done once it is gone. None where there is no such pod.
   *
   * @throws dev.berth.cpu.InvalidInputException where it is not ours to remove
   */
  Optional<CompletableFuture<Boolean>> remove(String name);

  /** Where the kernel has a container that runs; none where it does not run or cannot be seen. */
  Optional<CpuSet> actual(Resident resident, ContainerLife container);

  /** Processes in a container's cgroup that it did not start, where that can be told. */
  Set<ProcessId> foreign(Resident resident, ContainerLife container);

  /** The first process of a container, where one can be seen. */
  Optional<ProcessId> processOf(Resident resident, ContainerLife container);

  /** The folders of the groups that are ours. */
  List<String> groups();

  /** Whether CPUs are as those wish who have them to themselves. */
  boolean holds(CpuWish wish, CpuSet cpus);

  /** What everybody should know who counts on exclusive CPUs; empty where they can. */
  String caution();

  /** What a person should know at the start, a line each. */
  List<String> notes();

  /** Lets nobody ask any more. */
  void closeDoors() throws IOException;

  /** Ends every thread of its own. */
  void endThreads() throws IOException;

  /** Lets go of everything; containers run on. */
  void close();
}
