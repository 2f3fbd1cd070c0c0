package cifvi.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.tensor.CounterRng.Purpose;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Noise streams of different addresses have nothing to do with each other. */
class NoiseIndependenceTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final int DRAWS = 4096;

  /** Correlations of independent streams have standard error 1/√n. */
  private static final double MAX_CORRELATION = 5 / Math.sqrt(DRAWS);

  private static final Map<String, double[]> STREAMS = streams();

  /** Addresses that differ from one another in one place, or in two that could be confused. */
  private static Map<String, double[]> streams() {
    var streams = new LinkedHashMap<String, double[]>();
    for (Purpose purpose : Purpose.values()) {
      put(streams, new CounterRng(FLOAT64, 1, purpose));
    }
    var train = new CounterRng(FLOAT64, 1, Purpose.TRAIN);
    for (int i = 0; i < 5; i++) {
      put(streams, train.layer(i));
      put(streams, train.step(i + 1));
      put(streams, train.step(i + 1).layer(i));
      put(streams, train.step(1L << (i + 8)));
    }
    for (long seed : new long[] {0, 2, 3, 256, 1L << 32, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      put(streams, new CounterRng(FLOAT64, seed, Purpose.TRAIN));
    }
    put(streams, train.fromRow(DRAWS));
    return streams;
  }

  private static void put(Map<String, double[]> streams, CounterRng rng) {
    streams.put(rng.toString(), rng.normals(DRAWS, 1));
  }

  @Test
  void streamsAreUncorrelated() {
    assertUncorrelated(List.copyOf(STREAMS.values()));
  }

  @Test
  void squaresOfStreamsAreUncorrelated() {
    assertUncorrelated(
        STREAMS.values().stream().map(e -> Arrays.stream(e).map(v -> v * v).toArray()).toList());
  }

  private static void assertUncorrelated(List<double[]> streams) {
    var names = List.copyOf(STREAMS.keySet());
    for (int i = 0; i < streams.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(Math.abs(correlation(streams.get(i), streams.get(j))))
            .as("%s and %s", names.get(i), names.get(j))
            .isLessThan(MAX_CORRELATION);
      }
    }
  }

  @Test
  void neighboursInAStreamAreUncorrelated() {
    double[] e = new CounterRng(FLOAT64, 7, Purpose.TRAIN).normals(DRAWS + 16, 1);
    double[] squares = Arrays.stream(e).map(v -> v * v).toArray();
    for (double[] stream : List.of(e, squares)) {
      double[] first = Arrays.copyOf(stream, DRAWS);
      for (int lag = 1; lag <= 16; lag++) {
        double[] later = Arrays.copyOfRange(stream, lag, lag + DRAWS);
        assertThat(Math.abs(correlation(first, later)))
            .as("lag %d", lag)
            .isLessThan(MAX_CORRELATION);
      }
    }
  }

  @Test
  void noValueOccursTwice() {
    // 41 streams of 4096 draws of 2 x 32 bits: two equal ones by chance once in 10^9 times
    var values = new HashSet<Double>();
    STREAMS.values().forEach(e -> Arrays.stream(e).forEach(values::add));
    assertThat(values).hasSize(STREAMS.size() * DRAWS);
  }

  @Test
  void stepsThatFollowOneAnotherDiffer() {
    var rng = new CounterRng(FLOAT64, 1, Purpose.TRAIN);
    long different =
        LongStream.range(0, 1000).mapToObj(s -> rng.step(s).normals(1, 1)[0]).distinct().count();
    assertThat(different).isEqualTo(1000);
  }

  private static double correlation(double[] a, double[] b) {
    double meanA = Arrays.stream(a).average().orElseThrow();
    double meanB = Arrays.stream(b).average().orElseThrow();
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      ab += (a[i] - meanA) * (b[i] - meanB);
      aa += (a[i] - meanA) * (a[i] - meanA);
      bb += (b[i] - meanB) * (b[i] - meanB);
    }
    return ab / Math.sqrt(aa * bb);
  }
}
