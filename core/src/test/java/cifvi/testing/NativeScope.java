package cifvi.testing;

import cifvi.tensor.Torch;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Frees every tensor a test made when the test is over. */
public final class NativeScope implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(NativeScope.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    Torch.load();
    context.getStore(HERE).put(PointerScope.class, new PointerScope());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var scope = context.getStore(HERE).remove(PointerScope.class, PointerScope.class);
    if (scope != null) {
      scope.close();
    }
  }
}
