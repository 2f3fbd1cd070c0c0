package cifvi.experiments.density;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * The models of {@code reproduce density}: a CIF, the flow inside it, and flows with as many
 * parameters as the CIF. All else is the same for them, and for all sets.
 */
public enum ComparedModel {
  /** The flow inside the CIF: one step of two bins. */
  NSF("NSF", "nsf", 1, 16, 1),
  /** That flow indexed by a u in the plane, of which r is a mixture. */
  CIF_NSF("CIF-NSF", "cif-nsf", 1, 16, 8),
  /** The flow with wider networks, as the paper enlarges its flows. */
  NSF_WIDE("NSF, wider", "nsf", 1, 38, 1),
  /** The flow with more steps. */
  NSF_DEEP("NSF, deeper", "nsf", 5, 16, 1);

  private static final String PLACEMENT = "released";
  private static final String BINS = "2";
  private static final String INDEX = "2";
  private static final String SIDE_HIDDEN = "32";

  private final String label;
  private final String model;
  private final int flowSteps;
  private final int hidden;
  private final int mixture;

  ComparedModel(String label, String model, int flowSteps, int hidden, int mixture) {
    this.label = label;
    this.model = model;
    this.flowSteps = flowSteps;
    this.hidden = hidden;
    this.mixture = mixture;
  }

  /** What {@code cifvi density} is told, under the names of its options with _ for -. */
  public SequencedMap<String, String> options() {
    var options = new LinkedHashMap<String, String>();
    options.put("model", model);
    options.put("flow_steps", Integer.toString(flowSteps));
    options.put("hidden", Integer.toString(hidden));
    options.put("bins", BINS);
    options.put("placement", PLACEMENT);
    options.put("index", INDEX);
    options.put("side_hidden", SIDE_HIDDEN);
    options.put("mixture", Integer.toString(mixture));
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
