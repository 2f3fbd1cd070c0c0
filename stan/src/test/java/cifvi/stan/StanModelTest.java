package cifvi.stan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import cifvi.Cifvi;
import cifvi.Draws;
import cifvi.Family;
import cifvi.FittedPosterior;
import cifvi.LogDensity.Calls;
import cifvi.diagnostics.Comparison;
import cifvi.diagnostics.ReferenceDraws;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A model of BridgeStan's interface, well-behaved and not. */
class StanModelTest {
  private static final double LOG_2_PI = Math.log(2 * Math.PI);

  @TempDir static Path folder;
  private static Path threads;
  private static Path noThreads;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    threads = Stub.build(folder.resolve("threads_model.so"), "-DTHREADS");
    noThreads = Stub.build(folder.resolve("nothreads_model.so"));
  }

  private static StanModel open(int mode) {
    return StanModel.open(threads, "{\"mode\": " + mode + "}", 1, true);
  }

  private static FittedPosterior fit(StanModel model) {
    return Cifvi.fitting(model).family(Family.MEAN_FIELD).steps(200).samples(32).threads(2).run();
  }

  @Test
  void theDensityHasItsConstantsItsJacobianAndItsGradient() {
    try (StanModel model = open(0)) {
      double[] gradient = new double[3];
      double value = model.at(new double[] {1, -2, 0.5}, gradient);
      assertThat(value).isCloseTo(-0.5 * 5.25 - 1.5 * LOG_2_PI, within(1e-12));
      assertThat(gradient).containsExactly(-1, 2, -0.5);
      assertThat(model.name()).isEqualTo("stub_model");
      assertThat(model.dimensions()).isEqualTo(3);
      assertThat(model.calls()).isEqualTo(Calls.PARALLEL);
      assertThat(model.initialPoint()).containsOnly(0);
      assertThat(model.parameters().names()).containsExactly("x.1", "x.2", "tau");
    }
  }

  @Test
  void drawsAreToldAsStanTellsThem() {
    try (StanModel model = open(0);
        FittedPosterior posterior = fit(model)) {
      assertThat(posterior.report().elbo()).isCloseTo(0, within(0.02));
      Draws draws = posterior.draws(400);
      assertThat(draws.names())
          .containsExactly("x.1", "x.2", "tau", "sum", "u", "g.1.1", "g.2.1", "g.1.2", "g.2.2");
      assertThat(draws.values(3).of("g").get(0, 1)).isEqualTo(2);
      double[] draw = draws.draw(7);
      assertThat(draw[2]).isEqualTo(Math.exp(draws.unconstrained(7)[2]));
      assertThat(draw[3]).isEqualTo(draw[0] + draw[2]);
      assertThat(draws.mean("u")).isCloseTo(0.5, within(0.1));
      assertThat(Arrays.stream(draws.column("u")).distinct().count()).isGreaterThan(390);
      assertThat(posterior.draws(800).draw(7)).isEqualTo(draw);
      assertThat(posterior.draws(400, 2).draw(7)[4]).isNotEqualTo(draw[4]);
      assertThat(draws.notes()).isEmpty();
    }
  }

  /** z ~ N(0, I) has the evidence 1, so that bounds from both sides meet at 0. */
  @Test
  void referenceDrawsBoundTheEvidenceFromAbove() {
    var random = new SplittableRandom(1);
    double[][] columns = new double[3][500];
    for (double[] column : columns) {
      Arrays.setAll(column, _ -> random.nextGaussian());
    }
    Arrays.setAll(columns[2], i -> Math.exp(columns[2][i]));
    var names = List.of("x.1", "x.2", "tau");
    try (StanModel model = open(0);
        FittedPosterior posterior = fit(model)) {
      Draws draws = posterior.draws(400);
      Comparison near = reference(posterior, draws, new ReferenceDraws(names, columns));
      assertThat(near.eubo()).isCloseTo(0, within(0.03));
      assertThat(near.note()).isNull();
      columns[2][3] = -1;
      Comparison outside = reference(posterior, draws, new ReferenceDraws(names, columns));
      assertThat(outside.eubo()).isNull();
      assertThat(outside.note()).contains("reference draw 4", "stub: tau is not positive");
    }
  }

  private static Comparison reference(
      FittedPosterior posterior, Draws draws, ReferenceDraws reference) {
    return Objects.requireNonNull(posterior.trust(draws, reference).reference());
  }

  @Test
  void aSavedPosteriorNeedsItsModel() throws IOException {
    Path file = folder.resolve("posterior.cifvi");
    try (StanModel model = open(0);
        FittedPosterior posterior = fit(model)) {
      posterior.save(file);
      try (FittedPosterior loaded = FittedPosterior.load(file, model)) {
        assertThat(loaded.draws(5).draw(4)).isEqualTo(posterior.draws(5).draw(4));
      }
    }
    assertThatThrownBy(() -> FittedPosterior.load(file))
        .hasMessageContaining("only its density can tell its draws")
        .hasMessageContaining("stub_model");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6})
  void whereThereIsNoDensityItIsCountedForNothing(int mode) {
    try (StanModel model = open(mode);
        FittedPosterior posterior = fit(model)) {
      String why =
          switch (mode) {
            case 1 ->
                "first: log_density_gradient() failed with exception: stub: x[1] is too large";
            case 2 -> "first: log p = NaN";
            default -> "first: log p = -Infinity";
          };
      assertThat(posterior.report().notes()).anyMatch(note -> note.contains(why));
      assertThat(posterior.draws(1000).logEvidence()).isCloseTo(Math.log(0.8413), within(0.1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 8})
  void aFitDoesNotBeginWhereThereIsNoGradient(int mode) {
    try (StanModel model = open(mode)) {
      assertThat(model.initialPoint()).doesNotContain(0);
      assertThat(Arrays.stream(model.initialPoint()).map(Math::abs).max().orElseThrow())
          .isLessThan(0.1);
      assertThat(model.initialPoint()).isEqualTo(open(mode).initialPoint());
    }
  }

  @Test
  void aModelWithoutAnyDensityIsToldInStansWords() {
    try (StanModel model = open(9)) {
      assertThat(model.initialPoint()).containsOnly(0);
      assertThatThrownBy(() -> fit(model)).hasMessageContaining("stub: never at z");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 11})
  void whatFailsLateLeavesTheRest(int mode) {
    try (StanModel model = open(mode);
        FittedPosterior posterior = fit(model)) {
      Draws draws = posterior.draws(10);
      int known = mode == 5 ? 4 : 3;
      for (int i = 0; i < 10; i++) {
        assertThat(Arrays.copyOf(draws.draw(i), known)).doesNotContain(Double.NaN);
        assertThat(Arrays.copyOfRange(draws.draw(i), known, 9)).containsOnly(Double.NaN);
      }
      assertThat(draws.notes())
          .singleElement()
          .asString()
          .contains("10 of 10 draws lack numbers", "stub: refused in ");
    }
  }

  @Test
  void withoutGeneratedQuantitiesNothingOfThemIsAsked() {
    try (StanModel model = StanModel.open(threads, "{\"mode\": 5}");
        FittedPosterior posterior = fit(model)) {
      assertThat(posterior.draws(5).names()).containsExactly("x.1", "x.2", "tau", "sum");
      assertThat(posterior.draws(5).notes()).isEmpty();
    }
  }

  @Test
  void dataThatTheModelDoesNotTakeAreToldInItsWords() throws IOException {
    assertThatThrownBy(() -> open(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threads_model.so does not take its data: construct() failed")
        .hasMessageEndingWith("stub: refused in transformed data");
    Path data = folder.resolve("data.json");
    Files.writeString(data, "{\"y\": [" + "1.5, ".repeat(100_000) + "1]}");
    assertThatThrownBy(() -> StanModel.open(threads, data.toString()))
        .hasMessageContaining("data.json: construct() failed with exception: variable does not")
        .hasMessageContaining("characters more)")
        .message()
        .hasSizeLessThan(1000);
    assertThatThrownBy(() -> StanModel.open(threads, ""))
        .hasMessageContaining("does not take no data");
    assertThatThrownBy(() -> StanModel.open(threads, "nowhere.json"))
        .hasMessage("data: there is no file nowhere.json");
    assertThatThrownBy(() -> StanModel.open(threads, folder.toString()))
        .hasMessageContaining("is no file that can be read");
    Files.writeString(data, " \n");
    assertThatThrownBy(() -> StanModel.open(threads, data.toString()))
        .hasMessageContaining("data.json is empty");
    Files.writeString(data, "{\"mode\": 0}");
    try (StanModel model = StanModel.open(threads, data.toString())) {
      assertThat(model.identity()).isEqualTo(open(0).identity());
    }
    assertThatThrownBy(() -> open(10)).hasMessageContaining("the model has no parameters");
  }

  /** The standard output is for results. */
  @Test
  void printsGoToTheLogAndNotAllOfThem() {
    var logger = (Logger) LoggerFactory.getLogger(StanModel.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    try (StanModel model = open(3)) {
      for (int i = 0; i < 100; i++) {
        assertThat(model.at(new double[3], new double[3])).isNegative();
      }
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list).hasSize(11);
    assertThat(lines.list.getFirst().getFormattedMessage())
        .isEqualTo("threads_model.so prints: stub: evaluated");
    assertThat(lines.list.getLast().getFormattedMessage()).contains("not shown");
  }

  /** The stub ends the process where two threads are inside. */
  @Test
  void aLibraryWithoutThreadsIsCalledByOneAtATime() throws Exception {
    try (var one = StanModel.open(noThreads, "{\"mode\": 0}", 1, true);
        var two = StanModel.open(noThreads, "{\"mode\": 1}", 1, true);
        var pool = Executors.newFixedThreadPool(8)) {
      assertThat(one.calls()).isEqualTo(Calls.ONE_AT_A_TIME);
      var tasks =
          IntStream.range(0, 8)
              .<Future<?>>mapToObj(
                  t -> pool.submit(() -> IntStream.range(0, 2000).forEach(i -> use(one, two, i))))
              .toList();
      for (Future<?> task : tasks) {
        task.get();
      }
    }
  }

  private static void use(StanModel one, StanModel two, int i) {
    double[] z = {i % 5 - 2, 1, 0};
    StanModel model = i % 2 == 0 ? one : two;
    try {
      assertThat(model.at(z, new double[3])).isNegative();
    } catch (Rejection e) {
      assertThat(e).hasMessageContaining("too large");
    }
    assertThat(model.outputs().write(z, new double[9], i)).isNull();
    if (i % 100 == 0) {
      StanModel.open(noThreads, "{\"mode\": 0}").close();
    }
  }

  @Test
  void severalThreadsGiveTheSameBitsEveryTime() {
    try (StanModel model = open(0)) {
      var fit = Cifvi.fitting(model).family(Family.MEAN_FIELD).steps(50).threads(4);
      try (FittedPosterior first = fit.run();
          FittedPosterior second = fit.run()) {
        assertThat(second.report().elbo()).isEqualTo(first.report().elbo());
      }
    }
  }

  @Test
  void aClosedModelAnswersNoMore() {
    StanModel model = open(0);
    model.close();
    model.close();
    assertThatThrownBy(() -> model.at(new double[3], new double[3]))
        .isInstanceOf(IllegalStateException.class);
  }
}
