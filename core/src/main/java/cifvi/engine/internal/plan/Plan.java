package cifvi.engine.internal.plan;

import cifvi.nn.FlatParameters;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a pass through a model does, part after part, and how an objective puts its rows together.
 *
 * @param parts from the base to the target
 * @param parameters what kernels look their weights up in
 */
public record Plan(List<Part> parts, Bound bound, FlatParameters parameters, Backend backend) {
  /**
   * The plan of a model for a back end.
   *
   * @param kernels which parts it has kernels for; the others are libtorch's
   * @throws UncoveredException where a part has no kernel and cannot be libtorch's
   */
  public static Plan of(Model model, Objective objective, Predicate<Part> kernels) {
    List<Part> parts =
        Lowering.of(model).stream()
            .map(part -> kernels.test(part) ? part : Lowering.torch(part, model))
            .toList();
    var parameters = model.parameters();
    return new Plan(parts, Bound.of(objective), parameters.flat(), parameters.backend());
  }

  /** What libtorch runs, in the order of the forward pass. */
  public List<Piece> pieces() {
    return parts.stream()
        .filter(Part.Torch.class::isInstance)
        .map(part -> ((Part.Torch) part).piece())
        .toList();
  }

  /** Whether a training step couples the rows of a batch. */
  public boolean couplesRows() {
    return parts.stream().anyMatch(Part.Normalisation.class::isInstance);
  }

  /** Why kernels would not be faster than libtorch alone, if so. */
  public Optional<String> obstacle() {
    return pieces().isEmpty() || parts.stream().anyMatch(Part::heavy)
        ? Optional.empty()
        : Optional.of("no layer has a kernel that is faster");
  }

  /** How kernels run a model that nothing speaks against. */
  public String reason() {
    String what = pieces().stream().map(Piece::what).distinct().collect(Collectors.joining(", "));
    return what.isEmpty()
        ? "hand-written kernels cover the model"
        : "hand-written kernels; libtorch for " + what;
  }
}
