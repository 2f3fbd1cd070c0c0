package cifvi.experiments.mog;

import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogSpec.Flow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunSpec;
import cifvi.nn.Parameters;
import cifvi.posterior.Placement;
import cifvi.tensor.Scalars;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.Tensor;

/**
 * A trained model as a starting point. Of a flow, Prop. 3.1: a CIF whose bijections are those of
 * the flow and whose side networks are neutral (s = t = 0, q = r = N(0, 1)), so that it begins
 * exactly where the flow ended. A flow goes on from a flow, and a CIF from a CIF with an r of its
 * own, untrained.
 */
final class InitFrom {
  private static final Pattern LAYER = Pattern.compile("layers\\.(\\d+)\\.(.*)");
  private static final String LAST_OF_SIDE_NET = "2";

  private InitFrom() {}

  /** Refuses a run whose bijections would not be the same here. */
  static void requireFits(MogSpec spec, MogSpec from) {
    boolean cif = from.model() == Flow.CIF_NSF;
    RunSpec.require(
        from.model() == Flow.NSF || (cif && spec.model() == Flow.CIF_NSF),
        "--init-from: expected a run of model nsf"
            + (spec.model() == Flow.NSF ? "" : " or cif-nsf")
            + ", got "
            + from.model());
    RunSpec.require(
        cif || spec.r() == MogModel.R.NORMAL,
        "--r: a CIF that starts from a flow has a normal, got " + spec.r());
    if (!cif) {
      spec.objective().requireWhole();
    }
    requireSame("--tail-bound", spec.tailBound(), from.tailBound());
    requireSame("--sigma0", spec.sigma0(), from.sigma0());
    if (cif) {
      requireSame("--placement", spec.placement(), from.placement());
    }
  }

  private static void requireSame(String option, Object here, Object there) {
    RunSpec.require(
        here.equals(there),
        "%s: that of the run in --init-from is %s, got %s".formatted(option, there, here));
  }

  static void apply(Parameters parameters, MogSpec spec, Run.Trained<MogSpec> from) {
    Map<String, Tensor> trained = from.model().parameters().state();
    if (from.spec().model() == Flow.CIF_NSF) {
      var state = new HashMap<String, Tensor>(trained);
      parameters.state().forEach((name, own) -> replaceR(state, name, own));
      parameters.load(state);
    } else if (spec.model() == Flow.NSF) {
      parameters.load(trained);
    } else {
      neutral(parameters, spec.placement(), trained);
    }
  }

  private static void replaceR(Map<String, Tensor> state, String name, Tensor own) {
    if (name.contains(".r.")) {
      state.put(name, own);
    }
  }

  /** A CIF that is this flow. */
  static void neutral(Parameters cif, Placement placement, Map<String, Tensor> flow) {
    var state = new HashMap<String, Tensor>(cif.state());
    flow.forEach((name, tensor) -> state.put(inCif(name, placement), tensor));
    for (String net : new String[] {"st", "q", "r"}) {
      for (String kind : new String[] {"weight", "bias"}) {
        String end = "." + net + "." + LAST_OF_SIDE_NET + "." + kind;
        state.replaceAll(
            (name, tensor) -> name.endsWith(end) ? tensor.detach().mul(Scalars.of(0)) : tensor);
      }
    }
    cif.load(state);
  }

  /**
   * Where a tensor of the flow lies in the CIF. The flow's layers are perm, then (nsf, perm) five
   * times; the CIF's are perm, then (affine, nsf, perm) as released, or one layer with all three in
   * the paper's placement.
   */
  static String inCif(String name, Placement placement) {
    Matcher matcher = LAYER.matcher(name);
    if (!matcher.matches() || matcher.group(1).equals("0")) {
      return name;
    }
    int layer = Integer.parseInt(matcher.group(1)) - 1;
    int step = layer / 2;
    int part = layer % 2;
    int there =
        switch (placement) {
          case PAPER -> 1 + step;
          case RELEASED -> 2 + 3 * step + part;
        };
    return "layers." + there + "." + matcher.group(2);
  }
}
