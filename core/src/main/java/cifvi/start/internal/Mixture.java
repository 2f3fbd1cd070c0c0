package cifvi.start.internal;

import cifvi.distribution.MixtureBase;
import cifvi.tensor.Backend;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Σ_k π_k N(μ_k, F_k F_kᵀ) in plain numbers.
 *
 * @param logWeights log π_k
 * @param normals z = μ_k + F_k ε
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Mixture(double[] logWeights, List<Frame> normals) {
  /** A normal at every mode, weighted by its bound on the evidence around it. */
  public static Mixture of(Modes modes) {
    double[] logWeights = modes.normals().stream().mapToDouble(LocalNormal::elbo).toArray();
    return new Mixture(
        normalised(logWeights), modes.normals().stream().map(LocalNormal::frame).toList());
  }

  /** From rows of all components. */
  static Mixture of(double[] logWeights, double[] means, double[] factors) {
    int d = means.length / logWeights.length;
    return new Mixture(
        normalised(logWeights),
        IntStream.range(0, logWeights.length)
            .mapToObj(
                k ->
                    Frame.triangular(
                        Arrays.copyOfRange(means, k * d, (k + 1) * d),
                        Arrays.copyOfRange(factors, k * d * d, (k + 1) * d * d)))
            .toList());
  }

  private static double[] normalised(double[] logWeights) {
    double most = Arrays.stream(logWeights).max().orElseThrow();
    double sum = Arrays.stream(logWeights).map(w -> Math.exp(w - most)).sum();
    return Arrays.stream(logWeights).map(w -> w - most - Math.log(sum)).toArray();
  }

  /** One component more. */
  Mixture with(double logWeight, Frame normal) {
    var all = DoubleStream.concat(Arrays.stream(logWeights), DoubleStream.of(logWeight));
    return new Mixture(
        normalised(all.toArray()), Stream.concat(normals.stream(), Stream.of(normal)).toList());
  }

  /** The same in other coordinates of the same space. */
  public Mixture in(Frame before, Frame after) {
    Frame back = after.inverse();
    return new Mixture(
        logWeights,
        normals.stream()
            .map(normal -> before.then(normal.centre(), normal.factor(), normal.logDet()))
            .map(normal -> back.then(normal.centre(), normal.factor(), normal.logDet()))
            .toList());
  }

  public int components() {
    return logWeights.length;
  }

  int dimensions() {
    return normals.getFirst().dimensions();
  }

  /** As tensors of the caller's {@code PointerScope}. */
  public MixtureBase base(Backend backend) {
    int k = components();
    int d = dimensions();
    var inverses = normals.stream().map(Frame::inverse);
    double[] logDets = normals.stream().mapToDouble(Frame::logDet).toArray();
    return new MixtureBase(
        backend.tensor(logWeights, k),
        backend.tensor(joined(normals.stream().map(Frame::centre)), k, d),
        backend.tensor(joined(normals.stream().map(Frame::factor)), k, d, d),
        backend.tensor(joined(inverses.map(Frame::factor)), k, d, d),
        backend.tensor(logDets, k));
  }

  private static double[] joined(Stream<double[]> parts) {
    return parts.flatMapToDouble(Arrays::stream).toArray();
  }
}
