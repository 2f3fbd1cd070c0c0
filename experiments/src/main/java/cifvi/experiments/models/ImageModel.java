package cifvi.experiments.models;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Flip;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.EncodedNormal;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.Placement;
import cifvi.posterior.Posterior;
import cifvi.target.BernoulliImageModel;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The inference models of Table 1, for either decoder, and three the paper only speaks of: the flow
 * inside CIF-MAF, and IWAE with more than 5 samples.
 */
public enum ImageModel {
  VAE,
  IWAE,
  IWAE_10,
  IWAE_20,
  MAF_SMALL,
  MAF_SMALL_NOBN,
  MAF_LARGE,
  CIF_MAF,
  NSF_SMALL,
  NSF_LARGE,
  CIF_NSF;

  /**
   * Sizes of the side networks of CIF-MAF; only the released ones give the paper's parameter
   * counts.
   */
  public enum Nets {
    RELEASED,
    APPENDIX;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int ENCODER_CHANNELS = 8;
  private static final int INDEX = 2;
  private static final int MAF_STEPS = 5;
  private static final int NSF_STEPS = 10;
  private static final double NSF_CLIP = 5;

  /** Builds the posterior and the decoder. */
  public Model build(Backend backend, long seed, Decoder decoder, Placement placement, Nets nets) {
    var parameters = new Parameters(backend, seed);
    int d = decoder.latent();
    var encoder = new ConvEncoder(parameters.in("base").in("encoder"), ENCODER_CHANNELS, 2 * d);
    var stack = new FlowStack(parameters);
    switch (this) {
      case VAE, IWAE, IWAE_10, IWAE_20 -> {}
      case MAF_SMALL -> maf(stack, d, 420, true);
      case MAF_SMALL_NOBN -> maf(stack, d, 420, false);
      case MAF_LARGE -> maf(stack, d, 512, true);
      case CIF_MAF -> cifMaf(stack, d, placement, nets);
      case NSF_SMALL -> nsf(stack, d, 32);
      case NSF_LARGE -> nsf(stack, d, 44);
      case CIF_NSF -> cifNsf(stack, d, placement);
    }
    var target = new BernoulliImageModel(decoder.build(parameters.in("target").in("decoder")));
    return new Model(new Posterior(new EncodedNormal(encoder), stack.layers()), target, parameters);
  }

  /** The rows of Table 1 and the flow inside CIF-MAF beside them. */
  public static List<ImageModel> table1() {
    return List.copyOf(EnumSet.complementOf(EnumSet.of(IWAE_10, IWAE_20)));
  }

  /** What is maximised: the importance-weighted bound for IWAE, the ELBO for all others. */
  public Objective objective() {
    return switch (this) {
      case IWAE -> new Objective.Iwae(5);
      case IWAE_10 -> new Objective.Iwae(10);
      case IWAE_20 -> new Objective.Iwae(20);
      default -> new Objective.Elbo();
    };
  }

  /** Whether batches are normalised between its steps. */
  public boolean batchNorm() {
    return this == MAF_SMALL || this == MAF_LARGE;
  }

  /** Gradients are clipped for spline flows only. */
  public OptionalDouble clip() {
    return switch (this) {
      case NSF_SMALL, NSF_LARGE, CIF_NSF -> OptionalDouble.of(NSF_CLIP);
      default -> OptionalDouble.empty();
    };
  }

  public boolean cif() {
    return this == CIF_MAF || this == CIF_NSF;
  }

  private static void maf(FlowStack stack, int d, int hidden, boolean batchNorm) {
    for (int i = 0; i < MAF_STEPS; i++) {
      if (i > 0) {
        stack.flow(_ -> new Flip());
      }
      if (batchNorm) {
        stack.flow(p -> new BatchNorm(p, d));
      }
      stack.flow(p -> new AffineAutoregressive(p, d, hidden, hidden));
    }
  }

  private static void cifMaf(FlowStack stack, int d, Placement placement, Nets nets) {
    var indexed = nets == Nets.RELEASED ? indexed(d, 128, 64) : indexed(d, 10, 8);
    for (int i = 0; i < MAF_STEPS; i++) {
      if (i > 0) {
        stack.flow(_ -> new Flip());
      }
      stack.cif(placement, indexed, p -> new AffineAutoregressive(p, d, 420, 420));
    }
  }

  private static void nsf(FlowStack stack, int d, int hidden) {
    stack.flow(lu(d), permutation(d));
    for (int i = 0; i < NSF_STEPS; i++) {
      stack.flow(spline(d, hidden), lu(d), permutation(d));
    }
  }

  private static void cifNsf(FlowStack stack, int d, Placement placement) {
    stack.flow(lu(d), permutation(d));
    for (int i = 0; i < NSF_STEPS; i++) {
      stack.cif(placement, indexed(d, 10, 8), spline(d, 32), lu(d), permutation(d));
    }
  }

  private static FlowStack.Part spline(int d, int hidden) {
    return p -> new SplineAutoregressive(p, d, SplineAutoregressive.Options.paper(hidden));
  }

  private static FlowStack.Part lu(int d) {
    return p -> new LuLinear(p, d);
  }

  private static FlowStack.Part permutation(int d) {
    return p -> Permutation.random(p, d);
  }

  /** An indexed layer whose r looks at the image too. */
  private static FlowStack.Indexed indexed(int d, int hidden, int channels) {
    return (g, p) -> {
      var network = new ImageVectorNet(p.in("r"), d, channels, 2 * INDEX);
      var r = new ConditionalNormal(ConditionalNetwork.of(network));
      return CifLayer.gaussian(p, g, d, INDEX, r, hidden, hidden);
    };
  }

  /** As on the command line: {@code maf-small-nobn}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
