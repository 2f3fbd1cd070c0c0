package cifvi.experiments.figures;

import cifvi.vi.Model;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;

/** Computing with a model as it is, without training it. */
final class Look {
  private Look() {}

  /** What is found, as Java values; all tensors made on the way are freed. */
  static <T> T at(Model model, Supplier<T> what) {
    model.parameters().training(false);
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      return what.get();
    }
  }
}
