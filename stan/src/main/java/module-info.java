/** Stan models, compiled by BridgeStan, as densities to fit. */
@SuppressWarnings("module") // that of the experiments is compiled after this one
module cifvi.stan {
  requires transitive cifvi.core;
  requires org.slf4j;

  exports cifvi.stan;
}
