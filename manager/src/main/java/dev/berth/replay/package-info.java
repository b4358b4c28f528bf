/**
 * Recorded cases: what Kubernetes answered, and what we answer.
 *
 * <p>A {@link dev.berth.replay.Scenario} is a machine, a configuration and steps. {@link
 * dev.berth.replay.Replayer} runs it through the engine, restarting from real checkpoints, and
 * {@link dev.berth.replay.Comparison} sets the answer beside the recorded one.
 *
 * {@snippet :
 * Answer answer = Replayer.run(scenario);
 * List<String> differences = Comparison.differences(answer, scenario.recorded().path("expect"));
 * }
 *
 * <p>The rule of this package: it decides nothing itself.
 */
@NullMarked
package dev.berth.replay;

import org.jspecify.annotations.NullMarked;
