/** Machines and the decisions made on them: pure code without I/O, clock or randomness. */
module dev.berth.engine {
  requires static org.jspecify;

  exports dev.berth.cpu;
}
