package cifvi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a fit went.
 *
 * @param family that was fitted, which {@link Family#AUTO} has chosen
 * @param elbo the evidence lower bound, over 10,000 draws
 * @param elboError its standard error
 * @param logEvidence log 1/n Σ e^{log-weight} of the same draws, which estimates log ∫ p
 * @param starts the bound of every start, in their order
 * @param calls of the density
 * @param engine that trained: {@code fused (hand-written kernels; libtorch for HostTarget)}
 * @param notes gradients that look wrong, points without an answer, what auto chose
 */
public record Report(
    Family family,
    double elbo,
    double elboError,
    double logEvidence,
    List<Double> starts,
    long calls,
    String engine,
    List<String> notes) {
  public Report {
    starts = List.copyOf(starts);
    notes = List.copyOf(notes);
  }

  /** As texts, for a file. */
  SortedMap<String, String> texts() {
    SequencedMap<String, String> texts = new LinkedHashMap<>();
    texts.put("family", family.toString());
    texts.put("elbo", Double.toString(elbo));
    texts.put("elbo_se", Double.toString(elboError));
    texts.put("log_z", Double.toString(logEvidence));
    texts.put("starts", String.join(" ", starts.stream().map(String::valueOf).toList()));
    texts.put("gradients", Long.toString(calls));
    texts.put("engine", engine);
    texts.put("notes", String.join("\n", notes));
    return new TreeMap<>(texts);
  }

  /** From {@link #texts}. */
  static Report of(SortedMap<String, String> texts) {
    return new Report(
        Family.of(text(texts, "family")),
        Double.parseDouble(text(texts, "elbo")),
        Double.parseDouble(text(texts, "elbo_se")),
        Double.parseDouble(text(texts, "log_z")),
        List.of(text(texts, "starts").split(" ", -1)).stream().map(Double::valueOf).toList(),
        Long.parseLong(text(texts, "gradients")),
        text(texts, "engine"),
        text(texts, "notes").lines().toList());
  }

  /** An entry of a file that must be there. */
  static String text(SortedMap<String, String> texts, String key) {
    String text = texts.get(key);
    if (text == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return text;
  }
}
