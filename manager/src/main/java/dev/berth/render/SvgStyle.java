package dev.berth.render;

import dev.berth.topology.Level;

/**
 * Colours and letters of the picture; text keeps a contrast of at least 4.5 to what is behind it.
 */
final class SvgStyle {
  /** How many kinds of core have a colour of their own. */
  static final int KINDS = 3;

  /** How many pods have a colour of their own; beyond, colours come again. */
  static final int OWNERS = 8;

  static final String CSS =
      """
      <style>
      text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
      .page { fill: #ffffff; }
      .name { font-size: 20px; font-weight: 600; fill: #14213d; }
      .summary, .legend { font-size: 12px; fill: #4a5568; }
      .label { font-size: 11px; font-weight: 600; }
      .cpu { font-size: 10px; fill: #1f2937; text-anchor: middle; }
      .socket { fill: #eef1f6; stroke: #9aa7bd; }
      .socket-text { fill: #3b4a66; }
      .node { fill: #dcebfa; stroke: #7fb0de; }
      .node-text { fill: #17508a; }
      .bare { fill: #f6f9fc; stroke-dasharray: 4 3; }
      .cache { fill: #dff3e4; stroke: #82c297; }
      .cache-text { fill: #1c6637; }
      .core { fill: #fbeecb; stroke: #dfbf6c; }
      .thread { fill: #ffffff; stroke: #d9c389; stroke-width: 0.6; }
      .kind0 { fill: #ffe1cf; stroke: #e39a6d; }
      .kind1 { fill: #e6e0fa; stroke: #a493e0; }
      .kind2 { fill: #e2e8f0; stroke: #94a3b8; }
      .isolated { fill: #fbd5e0; stroke: #d8708f; stroke-width: 1.2; }
      .owner0 { fill: #a9d1f0; stroke: #4a8fc4; }
      .owner1 { fill: #fcc98a; stroke: #cc8a2e; }
      .owner2 { fill: #b5dd9a; stroke: #68a548; }
      .owner3 { fill: #f4aaa6; stroke: #c9605a; }
      .owner4 { fill: #cfbdec; stroke: #8a6fc4; }
      .owner5 { fill: #efe083; stroke: #b39d22; }
      .owner6 { fill: #97d9cd; stroke: #3f9f8e; }
      .owner7 { fill: #f3c0dc; stroke: #bf6797; }
      .reserved { fill: #c5cbd5; stroke: #5b6575; stroke-dasharray: 3 2; }
      .mark { font-size: 11px; font-weight: 700; fill: #111827; text-anchor: end; }
      .key { text-anchor: middle; }
      @media (prefers-color-scheme: dark) {
        .page { fill: #12161d; }
        .name { fill: #eef2f8; }
        .summary, .legend { fill: #aab6c8; }
        .cpu { fill: #f1f4f8; }
        .socket { fill: #1b222d; stroke: #4b5a72; }
        .socket-text { fill: #c3cfe2; }
        .node { fill: #14304c; stroke: #34699b; }
        .node-text { fill: #a9d1f7; }
        .bare { fill: #16202c; }
        .cache { fill: #163725; stroke: #3a7d55; }
        .cache-text { fill: #a5e0bb; }
        .core { fill: #43381a; stroke: #8d7434; }
        .thread { fill: #262c36; stroke: #6f6238; }
        .kind0 { fill: #5a3218; stroke: #b46a3c; }
        .kind1 { fill: #362e5e; stroke: #7866c0; }
        .kind2 { fill: #334155; stroke: #64748b; }
        .isolated { fill: #5b2337; stroke: #c05b7d; }
        .owner0 { fill: #1f5884; stroke: #5aa2dc; }
        .owner1 { fill: #7d4c0c; stroke: #d08f3a; }
        .owner2 { fill: #33631f; stroke: #74b552; }
        .owner3 { fill: #86332f; stroke: #d9736c; }
        .owner4 { fill: #54408a; stroke: #9b82d8; }
        .owner5 { fill: #635a0d; stroke: #bfa92f; }
        .owner6 { fill: #1a6156; stroke: #4cb3a1; }
        .owner7 { fill: #7d3a62; stroke: #d07aab; }
        .reserved { fill: #3d4654; stroke: #9aa5b5; }
        .mark { fill: #ffffff; }
      }
      </style>
      """;

  private SvgStyle() {}

  static String of(Level level) {
    return switch (level) {
      case SOCKET -> "socket";
      case NODE -> "node";
      case CACHE -> "cache";
      case CORE -> "core";
    };
  }
}
