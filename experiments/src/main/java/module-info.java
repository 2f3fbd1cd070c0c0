/** The paper's experiments: models, data, runs, sweeps, tables, reference vectors. */
module cifvi.experiments {
  requires transitive cifvi.core;
  requires cifvi.stan;
  requires transitive tools.jackson.databind;
  requires com.fasterxml.jackson.annotation;
  requires java.desktop;
  requires java.net.http;
  requires jdk.management;
  requires org.bytedeco.javacpp;
  requires tools.jackson.dataformat.yaml;

  exports cifvi.experiments.benchmark;
  exports cifvi.experiments.data;
  exports cifvi.experiments.density;
  exports cifvi.experiments.doctor;
  exports cifvi.experiments.figures;
  exports cifvi.experiments.files;
  exports cifvi.experiments.fit;
  exports cifvi.experiments.golden;
  exports cifvi.experiments.images;
  exports cifvi.experiments.machine;
  exports cifvi.experiments.models;
  exports cifvi.experiments.mog;
  exports cifvi.experiments.objectives;
  exports cifvi.experiments.paper;
  exports cifvi.experiments.parts;
  exports cifvi.experiments.regression;
  exports cifvi.experiments.run;
  exports cifvi.experiments.scoreboard;
  exports cifvi.experiments.sweep;
  exports cifvi.experiments.target;

  /* Specs, counters and results are records that Jackson reads and writes. */
  opens cifvi.experiments.density to
      tools.jackson.databind;
  opens cifvi.experiments.fit to
      tools.jackson.databind;
  opens cifvi.experiments.images to
      tools.jackson.databind;
  opens cifvi.experiments.machine to
      tools.jackson.databind;
  opens cifvi.experiments.mog to
      tools.jackson.databind;
  opens cifvi.experiments.run to
      tools.jackson.databind;
  opens cifvi.experiments.sweep to
      tools.jackson.databind;
}
