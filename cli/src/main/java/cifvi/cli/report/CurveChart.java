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
 * The curves of all runs on one pair of axes, readable without a script; a little script shows the
 * values at the step under the pointer.
 *
 * @param texts what the axes are and how to read the lines
 */
public record CurveChart(List<CurveSeries> series, ElboAxis axis, ChartTexts texts) {
  private static final double UNITS = 1000;

  /** Against training steps. */
  public static CurveChart ofTraining(List<CurveSeries> series) {
    ElboAxis axis = ElboAxis.of(series.stream().map(CurveSeries::curve).toList());
    return new CurveChart(series, axis, ChartTexts.ofTraining(axis));
  }

  /** Against the steps of all stages, near where they settle: the best possible is not known. */
  public static CurveChart ofFit(List<CurveSeries> series) {
    ElboAxis axis = ElboAxis.near(series.stream().map(CurveSeries::curve).toList());
    return new CurveChart(series, axis, ChartTexts.OF_FIT);
  }

  /** Against epochs. */
  public static CurveChart ofValidation(List<CurveSeries> series, ChartTexts texts) {
    return new CurveChart(
        series, ElboAxis.near(series.stream().flatMap(CurveSeries::curves).toList()), texts);
  }

  public String html() {
    return Template.fill(
        Template.resource("chart.html"),
        Map.of(
            "axis", Html.escape(texts.axis()),
            "rest", Html.escape(texts.value() + " at the last " + texts.unit()),
            "unit", Html.escape(texts.unit()),
            "note", Html.escape(texts.note()),
            "elbos", elboNumbers(),
            "steps", stepNumbers(),
            "lines", Html.join(IntStream.range(0, series.size()).mapToObj(this::lines)),
            "marks", Html.join(IntStream.range(0, series.size()).mapToObj(this::mark)),
            "legend", Html.join(IntStream.range(0, series.size()).mapToObj(this::legend)),
            "data", json()));
  }

  private long last() {
    return series.stream()
        .mapToLong(one -> one.curve().done())
        .reduce(texts.first() + 1, Math::max);
  }

  /** Where a step or epoch lies between the ends of the axis, from 0 to 1. */
  private double across(double step) {
    return (step - texts.first()) / (last() - texts.first());
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
        Arrays.stream(Ticks.whole(texts.first(), last(), 5))
            .mapToObj(
                tick ->
                    Html.text(
                        "span style=\"left:" + percent(across(tick)) + "\"",
                        Numerals.fixed(tick, 0))));
  }

  private String lines(int run) {
    CurveSeries one = series.get(run);
    List<Curve.Bucket> buckets = one.curve().buckets();
    String above =
        buckets.stream().map(b -> point(b.step(), b.max())).collect(Collectors.joining(" "));
    String below =
        buckets.reversed().stream()
            .map(b -> point(b.step(), b.min()))
            .collect(Collectors.joining(" "));
    String open = "class=\"" + Key.name(run);
    return Html.element("polygon " + open + " band\" points=\"" + above + " " + below + "\"", "")
        + one.beside().map(beside -> line(open + " beside", beside)).orElse("")
        + line(open, one.curve());
  }

  private String line(String open, Curve curve) {
    double[] smooth = curve.smoothed();
    String points =
        IntStream.range(0, smooth.length)
            .mapToObj(i -> point(curve.buckets().get(i).step(), smooth[i]))
            .collect(Collectors.joining(" "));
    return Html.element("polyline " + open + " line\" points=\"" + points + "\"", "");
  }

  /** In the chart's units, y downwards; what is far outside is cut off just outside. */
  private String point(double step, double elbo) {
    double up = Math.clamp(axis.position(elbo), -0.5, 1.5);
    return String.format(Locale.ROOT, "%.1f,%.1f", UNITS * across(step), UNITS * (1 - up));
  }

  private String mark(int run) {
    return series
        .get(run)
        .best()
        .filter(best -> axis.position(best.validElbo()) >= 0)
        .map(
            best ->
                Html.element(
                    "i class=\"mark %s\" style=\"left:%s;bottom:%s\""
                        .formatted(
                            Key.name(run),
                            percent(across((double) best.epoch())),
                            percent(axis.position(best.validElbo()))),
                    ""))
        .orElse("");
  }

  private String legend(int run) {
    double[] smooth = series.get(run).curve().smoothed();
    String last =
        smooth.length == 0
            ? "no " + texts.unit() + " yet"
            : Numerals.fixed(smooth[smooth.length - 1], 3);
    return Html.element(
        "li",
        Key.of(run)
            + Html.text("span", series.get(run).label())
            + Html.text("output data-run=\"" + run + "\"", last));
  }

  /** What the script needs: the steps of each run and the ELBO there. */
  private String json() {
    var runs =
        series.stream()
            .map(CurveSeries::curve)
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
        .writeValueAsString(
            Map.of(
                "first", texts.first(),
                "last", last(),
                "value", texts.value(),
                "unit", texts.unit(),
                "runs", runs))
        .replace("<", "\\u003c");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }
}
