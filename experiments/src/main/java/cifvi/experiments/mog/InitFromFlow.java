package cifvi.experiments.mog;

import cifvi.nn.Parameters;
import cifvi.posterior.Placement;
import cifvi.tensor.Scalars;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.Tensor;

/**
 * Prop. 3.1 as a starting point: a CIF whose bijections are those of a trained flow and whose side
 * networks are neutral (s = t = 0, q = r = N(0, 1)), so that it begins exactly where the flow
 * ended.
 */
final class InitFromFlow {
  private static final Pattern LAYER = Pattern.compile("layers\\.(\\d+)\\.(.*)");
  private static final String LAST_OF_SIDE_NET = "2";

  private InitFromFlow() {}

  static void apply(Parameters cif, Placement placement, Map<String, Tensor> flow) {
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
