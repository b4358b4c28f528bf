package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What each resource could have had, and where the offers fail to meet.
 *
 * <p>Worked out from the offers when someone asks, so a merge itself pays nothing for it.
 *
 * @param parts one a resource, in the order given
 * @param clashes what keeps the merged hint from being preferred; empty where nothing does
 */
public record OfferReport(List<Part> parts, List<Clash> clashes) {
  /** Takes copies. */
  public OfferReport {
    parts = List.copyOf(parts);
    clashes = List.copyOf(clashes);
  }

  /** What a resource offered. */
  public enum Said {
    /** It may come from anywhere. */
    ANYTHING,
    /** It cannot be given at all. */
    NOTHING,
    /** It may come from some sets of nodes. */
    SETS
  }

  /**
   * One resource's side.
   *
   * @param resource its name
   * @param said what kind of offer it made
   * @param narrowest the fewest nodes from which it could be given, 0 where it named none
   * @param alone the nodes that would do on their own
   * @param preferred the best of the sets that it prefers, if it prefers one
   */
  public record Part(
      String resource, Said said, int narrowest, NodeSet alone, Optional<NodeSet> preferred) {
    /** One line for a person. */
    public String line() {
      return switch (said) {
        case ANYTHING -> resource + ": no preference";
        case NOTHING -> resource + ": cannot be given on any nodes";
        case SETS -> resource + ": " + places() + (preferred.isEmpty() ? NOT_PREFERRED : "");
      };
    }

    private static final String NOT_PREFERRED = ", more nodes than an empty machine would need";

    private String places() {
      return alone.isEmpty()
          ? "needs at least " + narrowest + " nodes"
          : "fits on " + (alone.size() == 1 ? "node " : "one of the nodes ") + alone;
    }
  }

  /**
   * Resources that no set of nodes suits as preferred, as few as show it.
   *
   * @param parts which; one alone where it prefers nothing as things are
   */
  public record Clash(List<Part> parts) {
    /** Takes a copy. */
    public Clash {
      parts = List.copyOf(parts);
    }

    /** Whether they want different numbers of nodes. */
    public boolean isAboutWidth() {
      return parts.stream().map(Clash::width).distinct().count() > 1;
    }

    private static int width(Part part) {
      return part.preferred().map(NodeSet::size).orElse(0);
    }

    /** One line for a person. */
    public String line() {
      if (parts.size() == 1) {
        return parts.getFirst().line();
      }
      List<String> sides = new ArrayList<>();
      for (Part part : parts) {
        sides.add(part.resource() + " " + (isAboutWidth() ? nodes(width(part)) : place(part)));
      }
      String problem = isAboutWidth() ? "want different numbers of nodes: " : "do not meet: ";
      return "these " + problem + String.join(", ", sides);
    }

    private static String nodes(int count) {
      return count == 1 ? "1 node" : count + " nodes";
    }

    private static String place(Part part) {
      if (!part.alone().isEmpty() && width(part) == 1) {
        return "on " + part.alone();
      }
      return "on "
          + nodes(width(part))
          + ", for example "
          + part.preferred().map(NodeSet::toString).orElse("none");
    }
  }

  /** Explains a merge of these offers. */
  public static OfferReport of(Nodes nodes, List<ResourceOffer> offers) {
    List<Part> parts = offers.stream().map(offer -> part(nodes, offer)).toList();
    List<Clash> clashes = new ArrayList<>();
    for (Part part : parts) {
      if (part.said() != Said.ANYTHING && part.preferred().isEmpty()) {
        clashes.add(new Clash(List.of(part)));
      }
    }
    for (int i = 0; i < parts.size() && clashes.isEmpty(); i++) {
      for (int j = i + 1; j < parts.size(); j++) {
        if (preferred(nodes, List.of(offers.get(i), offers.get(j))).isEmpty()) {
          clashes.add(new Clash(List.of(parts.get(i), parts.get(j))));
        }
      }
    }
    if (clashes.isEmpty() && preferred(nodes, offers).isEmpty()) {
      clashes.add(new Clash(parts.stream().filter(p -> p.said() != Said.ANYTHING).toList()));
    }
    return new OfferReport(parts, clashes);
  }

  private static Part part(Nodes nodes, ResourceOffer named) {
    Offer offer = named.offer();
    Said said =
        switch (offer) {
          case Offer.Anything ignored -> Said.ANYTHING;
          case Offer.Impossible ignored -> Said.NOTHING;
          case Listed ignored -> Said.SETS;
          case Family ignored -> Said.SETS;
        };
    int narrowest =
        switch (offer) {
          case Offer.Anything ignored -> 0;
          case Offer.Impossible ignored -> 0;
          case Listed listed -> listed.narrowest();
          case Family family -> family.narrowest(new Budget());
        };
    return new Part(
        named.resource(), said, narrowest, alone(nodes, offer), preferred(nodes, List.of(named)));
  }

  private static Optional<NodeSet> preferred(Nodes nodes, List<ResourceOffer> named) {
    List<Offer> offers = named.stream().map(ResourceOffer::offer).toList();
    long[] found = PreferredSearch.find(nodes, offers, TieBreak.LOWEST, new Budget());
    return Optional.ofNullable(found).map(nodes::set);
  }

  private static NodeSet alone(Nodes nodes, Offer offer) {
    long[] fitting = Masks.none(nodes.size());
    for (int position = 0; position < nodes.size(); position++) {
      long[] single = Masks.none(nodes.size());
      Masks.add(single, position);
      boolean fits =
          switch (offer) {
            case Offer.Anything ignored -> true;
            case Offer.Impossible ignored -> false;
            case Listed listed -> listed.hasAny() || listed.contains(single);
            case Family family -> family.contains(single);
          };
      if (fits) {
        Masks.add(fitting, position);
      }
    }
    return nodes.set(fitting);
  }

  /** All of it for a person, a line each: the parts, then what keeps them apart. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    parts.forEach(part -> lines.add(part.line()));
    lines.addAll(clashLines());
    return List.copyOf(lines);
  }

  /** What keeps several parts from meeting, a line each; none where it is one part alone. */
  public List<String> clashLines() {
    return clashes.stream().filter(clash -> clash.parts().size() > 1).map(Clash::line).toList();
  }
}
