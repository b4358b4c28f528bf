package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import java.util.List;
import java.util.Map;

/**
 * The agent's story as it is at a moment.
 *
 * @param story which one, counted from 1
 * @param last the number of its last step; later ones follow
 * @param head its fields before the pods, without the brace that ends them
 * @param start by pod, the step that gave it what it had at the start
 * @param shared the shared pool at the start
 */
record StorySnapshot(
    long story,
    long last,
    String head,
    Map<Figure, String> start,
    CpuSet shared,
    List<StoryEntry> entries) {}
