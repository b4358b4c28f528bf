package dev.berth.cgroup;

import java.util.EnumSet;
import java.util.Set;

/**
 * A group that is there.
 *
 * @param in the controllers that it has; on version 1 a group may be missing in some trees
 * @param settings what is known of what it has
 */
record Present(Set<Controller> in, Settings settings) {
  Present with(Setting setting) {
    return new Present(in, settings.with(setting));
  }

  Present without(Setting setting) {
    return new Present(in, settings.without(setting));
  }

  /** Made anew in one more tree, where nothing is known yet. */
  Present madeIn(Controller controller) {
    Set<Controller> all = EnumSet.of(controller);
    all.addAll(in);
    Settings kept = settings;
    for (Setting setting : settings.each()) {
      kept = setting.controller() == controller ? kept.without(setting) : kept;
    }
    return new Present(all, kept);
  }
}
