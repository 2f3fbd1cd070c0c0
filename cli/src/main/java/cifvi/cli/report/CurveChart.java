package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.ElboAxis;
import cifvi.experiments.figures.Ticks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The training curves of all runs on one pair of axes, readable without a script; a little script
 * shows the values at the step under the pointer.
 */
record CurveChart(List<Curve> curves, List<String> labels, ElboAxis axis, long steps) {
  private static final double UNITS = 1000;

  static CurveChart of(List<Curve> curves, List<String> labels) {
    long steps = curves.stream().mapToLong(Curve::stepsDone).max().orElse(0);
    return new CurveChart(curves, labels, ElboAxis.of(curves), Math.max(1, steps));
  }

  String html() {
    return Template.fill(
        Template.resource("chart.html"),
        Map.of(
            "scale", axis.stretched() ? ", logarithmic far below 0" : "",
            "elbos", elboNumbers(),
            "steps", stepNumbers(),
            "lines", Html.join(IntStream.range(0, curves.size()).mapToObj(this::lines)),
            "legend", Html.join(IntStream.range(0, curves.size()).mapToObj(this::legend)),
            "data", json()));
  }

  private String elboNumbers() {
    return Html.join(
        Arrays.stream(axis.ticks())
            .mapToObj(
                tick ->
                    Html.element(
                        "span style=\"bottom:" + percent(axis.position(tick)) + "\"",
                        Html.text("b", Numerals.plain(tick)))));
  }

  private String stepNumbers() {
    return Html.join(
        Arrays.stream(Ticks.between(0, (double) steps, 5))
            .mapToObj(
                tick ->
                    Html.text(
                        "span style=\"left:" + percent(tick / steps) + "\"",
                        Numerals.fixed(tick, 0))));
  }

  private String lines(int run) {
    Curve curve = curves.get(run);
    double[] smooth = curve.smoothed();
    List<Curve.Bucket> buckets = curve.buckets();
    String line =
        IntStream.range(0, smooth.length)
            .mapToObj(i -> point(buckets.get(i).step(), smooth[i]))
            .collect(Collectors.joining(" "));
    String above =
        buckets.stream().map(b -> point(b.step(), b.max())).collect(Collectors.joining(" "));
    String below =
        buckets.reversed().stream()
            .map(b -> point(b.step(), b.min()))
            .collect(Collectors.joining(" "));
    String open = "class=\"" + Key.name(run);
    return Html.element("polygon " + open + " band\" points=\"" + above + " " + below + "\"", "")
        + Html.element("polyline " + open + " line\" points=\"" + line + "\"", "");
  }

  /** In the chart's units, y downwards; what is far outside is cut off just outside. */
  private String point(double step, double elbo) {
    double up = Math.clamp(axis.position(elbo), -0.5, 1.5);
    return String.format(Locale.ROOT, "%.1f,%.1f", UNITS * step / steps, UNITS * (1 - up));
  }

  private String legend(int run) {
    double[] smooth = curves.get(run).smoothed();
    String last = smooth.length == 0 ? "no step yet" : Numerals.fixed(smooth[smooth.length - 1], 3);
    return Html.element(
        "li",
        Key.of(run)
            + Html.text("span", labels.get(run))
            + Html.text("output data-run=\"" + run + "\"", last));
  }

  /** What the script needs: the steps of each run and the ELBO there. */
  private String json() {
    var runs =
        curves.stream()
            .map(
                curve ->
                    Map.of(
                        "steps",
                        curve.buckets().stream().mapToLong(b -> Math.round(b.step())).toArray(),
                        "elbo",
                        Arrays.stream(curve.smoothed())
                            .map(v -> Math.round(1000 * v) / 1000.0)
                            .toArray()))
            .toList();
    return JsonMapper.shared()
        .writeValueAsString(Map.of("last", steps, "runs", runs))
        .replace("<", "\\u003c");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }
}
