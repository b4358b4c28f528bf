package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.Launch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is needed to start a container.
 *
 * @param id which start it is
 * @param launch what is started
 * @param environment its whole environment
 * @param log the file its output goes to
 * @param groups the files by which it joins its groups; none where there are no groups
 * @param shimGroups the same for the shell that watches it
 * @param affinity the CPUs it is bound to where there are no groups
 * @param exclusive whether its CPUs are its own, so that it goes before strays on them
 */
record Task(
    TaskId id,
    Launch launch,
    Map<String, String> environment,
    Path log,
    List<Path> groups,
    List<Path> shimGroups,
    Optional<CpuSet> affinity,
    boolean exclusive) {}
