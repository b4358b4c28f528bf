/**
 * Stories: what happened on one machine under one configuration, in order.
 *
 * <p>A simulation tells one, an agent tells one as it goes along, a page draws one, and a
 * simulation can let one happen again. A {@link dev.berth.story.Story} has the machine, the
 * configuration, every pod once and the steps; each {@link dev.berth.story.Step} says only what it
 * changed, so that what stood at a moment is the start and all steps up to there. {@link
 * dev.berth.story.StoryJson} reads one, {@link dev.berth.story.StoryWriter} writes one step by
 * step, so that a long one need not be kept. {@link dev.berth.story.Alignment} says how well CPUs
 * lie.
 *
 * {@snippet :
 * try (StoryWriter writer = StoryJson.writer(out, opening)) {   // machine, configuration, pods
 *   writer.add(Step.of(0, Step.Kind.ADMITTED, 0).with(holding).shared(node.shared()));
 *   writer.add(Step.of(12.5, Step.Kind.REMOVED, 0).shared(node.shared()));
 * }
 * Story story = StoryJson.read("day.json", stream);
 * story.steps().getLast().shared();
 * }
 *
 * <p>The rule of this package: a reader passes over fields that it does not know, and a writer
 * leaves out what is not there. The machine stays JSON, so that nobody here has to know its form.
 */
@NullMarked
package dev.berth.story;

import org.jspecify.annotations.NullMarked;
