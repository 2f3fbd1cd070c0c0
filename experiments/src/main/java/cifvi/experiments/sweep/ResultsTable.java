package cifvi.experiments.sweep;

import cifvi.experiments.files.Csv;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * {@code results.csv}: one row a cell, first what varies, then its status and folder, then all that
 * its {@code result.json} says.
 */
record ResultsTable(List<Job> jobs) {
  private record Row(Job job, Optional<JsonNode> result) {}

  String csv() {
    List<Row> rows = jobs.stream().map(job -> new Row(job, job.result())).toList();
    SequencedSet<String> varying = new LinkedHashSet<>();
    rows.forEach(row -> varying.addAll(row.job.cell().varying()));
    SequencedSet<String> found = new LinkedHashSet<>();
    rows.forEach(row -> row.result.ifPresent(result -> found.addAll(result.propertyNames())));
    found.removeAll(varying);
    var lines = new StringBuilder();
    lines.append(line(Stream.of(varying.stream(), Stream.of("status", "folder"), found.stream())));
    for (Row row : rows) {
      Job job = row.job;
      lines.append(
          line(
              Stream.of(
                  varying.stream().map(key -> job.cell().options().getOrDefault(key, "")),
                  Stream.of(job.status().toString(), job.cell().name()),
                  found.stream().map(key -> row.result.map(r -> text(r.path(key))).orElse("")))));
    }
    return lines.toString();
  }

  private static String text(JsonNode value) {
    return value.isMissingNode() || value.isNull()
        ? ""
        : value.isContainer() ? value.toString() : value.asString();
  }

  private static String line(Stream<Stream<String>> parts) {
    return Csv.line(parts.flatMap(part -> part));
  }
}
