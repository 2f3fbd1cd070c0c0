package cifvi.cli.report.sweep;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Frame;
import cifvi.cli.report.Html;
import cifvi.cli.report.SortableTable;
import cifvi.cli.report.Template;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Job.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** {@code index.html} of a sweep: its cells, what they found, and the way to their folders. */
public record SweepPage(List<Job> jobs, String title) {
  private static final String RELOAD = "<meta http-equiv=\"refresh\" content=\"30\">\n";

  /** Writes the page into the sweep's folder; while cells are open it loads itself again. */
  public static void write(List<Job> jobs, Path out) {
    Path folder = out.toAbsolutePath().normalize().getParent();
    String title = "Sweep " + (folder == null ? "" : folder.getFileName());
    WholeFile.replace(out, new SweepPage(jobs, title).html());
  }

  private String html() {
    boolean open = jobs.stream().anyMatch(job -> job.status() == Status.RUNNING);
    return Frame.around(
        title,
        open ? RELOAD : "",
        "sweep.html",
        Map.of(
            "title", Html.escape(title),
            "counts", Html.escape(counts()),
            "means", means(),
            "cells", table(),
            "script", Template.resource("sort.js")));
  }

  /** {@code 3 of 12 cells are done, 2 are running, 1 failed.} */
  private String counts() {
    return Numerals.whole(count(Status.DONE))
        + " of "
        + Numerals.whole(jobs.size())
        + " cells are done"
        + more(Status.RUNNING, " running")
        + more(Status.STOPPED, " stopped, to be gone on with")
        + more(Status.WAITING, " waiting")
        + more(Status.FAILED, " failed")
        + ".";
  }

  private String more(Status status, String words) {
    long count = count(status);
    return count == 0 ? "" : ", " + Numerals.whole(count) + words;
  }

  private long count(Status status) {
    return jobs.stream().filter(job -> job.status() == status).count();
  }

  private String means() {
    String table = new SweepMeans(jobs).html();
    return table.isEmpty()
        ? ""
        : Template.fill(Template.resource("means.html"), Map.of("table", table));
  }

  private String table() {
    List<Optional<JsonNode>> results = jobs.stream().map(Job::result).toList();
    List<String> columns = SweepNumbers.columns(results);
    List<String> head =
        Stream.concat(
                Stream.of("cell", "picture", "status"), columns.stream().map(SweepNumbers::words))
            .toList();
    String body =
        Html.join(
            IntStream.range(0, jobs.size())
                .mapToObj(i -> row(jobs.get(i), results.get(i), columns)));
    return SortableTable.html("± is one standard error.", head, body);
  }

  private static String row(Job job, Optional<JsonNode> result, List<String> columns) {
    String name = job.cell().name();
    String cell =
        Files.isDirectory(job.folder().path()) ? Html.link(name + "/", name) : Html.escape(name);
    boolean brokeOff = result.map(r -> r.has("broke_off_at_epoch")).orElse(false);
    String words = job.status() + (brokeOff ? ", broke off" : "");
    String status =
        Files.exists(job.folder().log()) ? Html.link(name + ".log", words) : Html.escape(words);
    return Html.element(
        "tr",
        Html.element("th scope=\"row\"", cell)
            + Html.cell("picture", CellPicture.of(job.folder()))
            + Html.cell("status", status)
            + result
                .map(r -> Html.join(columns.stream().map(key -> SweepNumbers.cell(r, key))))
                .orElseGet(() -> unfinished(job, columns.size())));
  }

  /** How far a cell has come, or the last thing it said before it failed. */
  private static String unfinished(Job job, int columns) {
    String words =
        job.status() == Status.FAILED
            ? String.join("", job.folder().logTail(1))
            : job.folder()
                .progress()
                .map(
                    p ->
                        p.unit() + " " + Numerals.whole(p.done()) + " of " + Numerals.whole(p.of()))
                .orElse("");
    return Html.text("td class=\"unfinished\" colspan=\"" + Math.max(1, columns) + "\"", words);
  }
}
