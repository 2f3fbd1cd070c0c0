/** The cifvi command. */
module cifvi.cli {
  requires cifvi.experiments;
  requires info.picocli;
  requires java.desktop;
  requires java.management;
  requires org.slf4j;
  requires tools.jackson.databind;

  /* Found on the class path alone: Spark's jars are no modules. */
  uses cifvi.cli.cluster.Cluster.Provider;

  /* Options are fields that picocli writes. */
  opens cifvi.cli to
      info.picocli;
  opens cifvi.cli.cluster to
      info.picocli;
  opens cifvi.cli.option to
      info.picocli;
  opens cifvi.cli.reproduce to
      info.picocli;
  opens cifvi.cli.run to
      info.picocli;
  opens cifvi.cli.sweep to
      info.picocli;
}
