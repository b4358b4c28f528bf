package dev.berth.agent;

import java.util.List;

/** What one who follows the agent's story has not heard yet. */
sealed interface StoryNews {
  /** More steps of the same story; none where nothing has happened in time. */
  record More(List<StoryEntry> entries) implements StoryNews {}

  /** Another story, or the reader was too slow for this one. */
  record Anew(StorySnapshot snapshot) implements StoryNews {}
}
