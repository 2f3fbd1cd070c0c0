package cifvi.experiments.density;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * The models of {@code reproduce density}: a CIF, the flow inside it, and flows with as many
 * parameters as the CIF. All else is the same for them, and for all sets.
 */
public enum ComparedModel {
  /** The flow inside the CIF. */
  NSF("NSF", "nsf", 2, 16),
  /** That flow, its every step indexed by a u in the plane. */
  CIF_NSF("CIF-NSF", "cif-nsf", 2, 16),
  /** The flow with wider networks, as the paper enlarges its flows. */
  NSF_WIDE("NSF, wider", "nsf", 2, 32),
  /** The flow with more steps. */
  NSF_DEEP("NSF, deeper", "nsf", 6, 16);

  private static final String PLACEMENT = "released";
  private static final String INDEX = "2";
  private static final String SIDE_HIDDEN = "32";

  private final String label;
  private final String model;
  private final int flowSteps;
  private final int hidden;

  ComparedModel(String label, String model, int flowSteps, int hidden) {
    this.label = label;
    this.model = model;
    this.flowSteps = flowSteps;
    this.hidden = hidden;
  }

  /** What {@code cifvi density} is told, under the names of its options with _ for -. */
  public SequencedMap<String, String> options() {
    var options = new LinkedHashMap<String, String>();
    options.put("model", model);
    options.put("flow_steps", Integer.toString(flowSteps));
    options.put("hidden", Integer.toString(hidden));
    options.put("placement", PLACEMENT);
    options.put("index", INDEX);
    options.put("side_hidden", SIDE_HIDDEN);
    return options;
  }

  /** In names of folders: {@code nsf-wide}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String label() {
    return label;
  }
}
