/** Berth's engine: machines, pods and the decisions about them, without I/O, clock or chance. */
module dev.berth.engine {
  requires static org.jspecify;

  exports dev.berth.allocation;
  exports dev.berth.cpu;
  exports dev.berth.hints;
  exports dev.berth.ledger;
  exports dev.berth.relief;
  exports dev.berth.topology;
  exports dev.berth.workload;

  uses dev.berth.ledger.HintProviderFactory;
}
