package cifvi.experiments.fit;

import cifvi.Cifvi;
import cifvi.Fit;
import cifvi.LogDensity;
import cifvi.experiments.files.UserException;
import cifvi.target.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A density that somebody else has written and compiled: a public class with a public constructor
 * without arguments that implements {@link LogDensity}, or {@link Target} for libtorch operations.
 */
public final class OwnDensity {
  private static final String EXPECTED = "a public constructor without arguments";

  private final Object instance;

  private OwnDensity(Object instance) {
    this.instance = instance;
  }

  /**
   * Makes one.
   *
   * @param className with its package, {@code com.acme.MyDensity}
   * @param classPath jars and folders with the separator of this system, {@code lib/*} for all jars
   *     of a folder; what this program is made of is there in any case
   * @throws UserException where there is no such class, or it cannot be made, with the reason
   */
  public static OwnDensity load(String className, String classPath) {
    var path = ClassPath.of(classPath);
    Class<?> type = find(className, path);
    if (!LogDensity.class.isAssignableFrom(type) && !Target.class.isAssignableFrom(type)) {
      throw new UserException(
          "%s implements neither %s nor %s"
              .formatted(className, LogDensity.class.getName(), Target.class.getName()));
    }
    return new OwnDensity(make(type));
  }

  private static Class<?> find(String name, ClassPath path) {
    try {
      // Found, but not initialised: that happens where failures are told apart from its absence.
      return Class.forName(name, false, path.loader());
    } catch (ClassNotFoundException e) {
      throw new UserException(
          "there is no class %s in %s; give its name with its package, such as com.acme.MyDensity"
              .formatted(name, path),
          e);
    } catch (UnsupportedClassVersionError e) {
      throw new UserException(
          "%s was compiled for a newer Java than %s: %s"
              .formatted(name, Runtime.version().feature(), e.getMessage()),
          e);
    } catch (LinkageError e) { // among them a name without its package
      throw new UserException("%s in %s cannot be loaded: %s".formatted(name, path, e), e);
    }
  }

  private static Object make(Class<?> type) {
    String name = type.getName();
    if (Modifier.isAbstract(type.getModifiers())) {
      throw new UserException(name + " is abstract; expected a class with " + EXPECTED);
    }
    if (!Modifier.isPublic(type.getModifiers())) {
      throw new UserException(name + " is not public; expected a public class");
    }
    try {
      return type.getConstructor().newInstance();
    } catch (NoSuchMethodException e) {
      String there =
          String.join(
              ", ", Arrays.stream(type.getConstructors()).map(Constructor::toString).toList());
      throw new UserException(
          "%s: expected %s, there is %s"
              .formatted(name, EXPECTED, there.isEmpty() ? "none" : there),
          e);
    } catch (InvocationTargetException e) {
      throw new UserException(name + ": its constructor failed: " + e.getCause(), e);
    } catch (IllegalAccessException | InstantiationException e) {
      throw new UserException(name + " cannot be made: " + e, e);
    } catch (LinkageError e) { // of its initialiser, or of a class that it needs
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new UserException(name + " cannot be initialised: " + cause, e);
    }
  }

  /** The density, where it is one in plain arrays. */
  public Optional<LogDensity> logDensity() {
    return instance instanceof LogDensity density ? Optional.of(density) : Optional.empty();
  }

  /**
   * A fit of it.
   *
   * @param dimensions needed for a {@link Target}, which does not know them
   */
  public Fit fitting(OptionalInt dimensions) {
    if (instance instanceof LogDensity density) {
      if (dimensions.isPresent() && dimensions.getAsInt() != density.dimensions()) {
        throw new UserException(
            "%s has %d dimensions, not %d"
                .formatted(name(), density.dimensions(), dimensions.getAsInt()));
      }
      return Cifvi.fitting(density);
    }
    int d =
        dimensions.orElseThrow(
            () ->
                new UserException(
                    "%s is a Target, which does not know its dimensions: say how many there are"
                        .formatted(name())));
    return Cifvi.fitting(d, (Target) instance);
  }

  private String name() {
    return instance.getClass().getName();
  }
}
