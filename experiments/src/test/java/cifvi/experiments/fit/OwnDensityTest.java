package cifvi.experiments.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.Family;
import cifvi.LogDensity;
import cifvi.distribution.Observation;
import cifvi.experiments.files.UserException;
import cifvi.target.Target;
import cifvi.tensor.Scalars;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Densities from a class path: those that work, and what is said of those that do not. */
class OwnDensityTest {
  private static final String DENSITY =
      """
      package com.acme;

      public class %s implements cifvi.LogDensity {
        %s

        @Override public int dimensions() { return 2; }

        @Override public double at(double[] z, double[] gradient) {
          gradient[0] = -z[0];
          gradient[1] = -z[1];
          return -0.5 * (z[0] * z[0] + z[1] * z[1]);
        }
      }
      """;

  @TempDir private Path folder;

  /** Compiles a class of com.acme into the folder. */
  private void compile(String name, String text) throws IOException, URISyntaxException {
    Path source = Files.writeString(folder.resolve(name + ".java"), text);
    var core =
        Path.of(LogDensity.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String[] arguments = {
      "-d", folder.toString(), "-proc:none", "-cp", core.toString(), source.toString()
    };
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
  }

  @Test
  void aClassInAFolderIsFitted() throws Exception {
    compile("Mine", DENSITY.formatted("Mine", ""));
    var own = OwnDensity.load("com.acme.Mine", folder.toString());
    assertThat(own.logDensity()).hasValueSatisfying(d -> assertThat(d.dimensions()).isEqualTo(2));
    try (var posterior =
        own.fitting(OptionalInt.empty()).family(Family.MEAN_FIELD).steps(5).samples(20).run()) {
      assertThat(posterior.draws(3).size()).isEqualTo(3);
    }
    assertThatThrownBy(() -> own.fitting(OptionalInt.of(3)))
        .hasMessage("com.acme.Mine has 2 dimensions, not 3");
  }

  @Test
  void aClassInAJarIsFound() throws Exception {
    compile("Mine", DENSITY.formatted("Mine", ""));
    Path lib = Files.createDirectory(folder.resolve("lib"));
    try (var jar = new JarOutputStream(Files.newOutputStream(lib.resolve("mine.jar")))) {
      jar.putNextEntry(new JarEntry("com/acme/Mine.class"));
      jar.write(Files.readAllBytes(folder.resolve("com/acme/Mine.class")));
    }
    Files.delete(folder.resolve("com/acme/Mine.class"));
    assertThat(OwnDensity.load("com.acme.Mine", lib.resolve("mine.jar").toString()).logDensity())
        .isPresent();
    assertThat(OwnDensity.load("com.acme.Mine", lib + "/*").logDensity()).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Thrower  | public Thrower() { throw new IllegalStateException("no file"); } | com.acme.Thrower: its constructor failed: java.lang.IllegalStateException: no file
          Starter  | static { if (true) throw new IllegalStateException("no start"); } | com.acme.Starter cannot be initialised: java.lang.IllegalStateException: no start
          Needy    | public Needy(int n) { } | com.acme.Needy: expected a public constructor without arguments, there is public com.acme.Needy(int)
          Private  | private Private() { }   | com.acme.Private: expected a public constructor without arguments, there is none
          """)
  void aClassThatCannotBeMadeIsRefused(String name, String member, String words) throws Exception {
    compile(name, DENSITY.formatted(name, member));
    assertThatThrownBy(() -> OwnDensity.load("com.acme." + name, folder.toString()))
        .isInstanceOf(UserException.class)
        .hasMessage(words);
  }

  @Test
  void aClassOfAnotherKindIsRefused() throws Exception {
    assertThatThrownBy(() -> OwnDensity.load("java.lang.String", ""))
        .hasMessage("java.lang.String implements neither cifvi.LogDensity nor cifvi.target.Target");
    compile("Half", DENSITY.replace("public class", "public abstract class").formatted("Half", ""));
    assertThatThrownBy(() -> OwnDensity.load("com.acme.Half", folder.toString()))
        .hasMessageStartingWith("com.acme.Half is abstract; expected a class with");
    compile("Quiet", DENSITY.replace("public class", "class").formatted("Quiet", ""));
    assertThatThrownBy(() -> OwnDensity.load("com.acme.Quiet", folder.toString()))
        .hasMessage("com.acme.Quiet is not public; expected a public class");
  }

  @Test
  void aClassThatIsNotThereIsRefused() throws Exception {
    assertThatThrownBy(() -> OwnDensity.load("com.acme.None", folder.toString()))
        .isInstanceOf(UserException.class)
        .hasMessage(
            "there is no class com.acme.None in "
                + folder
                + "; give its name with its package, such as com.acme.MyDensity");
    assertThatThrownBy(() -> OwnDensity.load("com.acme.None", ""))
        .hasMessageContaining("say where it is with a class path");
    compile("Mine", DENSITY.formatted("Mine", ""));
    assertThatThrownBy(() -> OwnDensity.load("Mine", folder.resolve("com/acme").toString()))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("com/acme/Mine");
  }

  @Test
  void aClassPathMustBeThere() throws Exception {
    assertThatThrownBy(() -> OwnDensity.load("A", folder.resolve("no.jar").toString()))
        .isInstanceOf(UserException.class)
        .hasMessage("class path: there is no " + folder.resolve("no.jar"));
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    assertThatThrownBy(() -> OwnDensity.load("A", text.toString()))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("text.jar is neither a folder nor a jar");
    assertThatThrownBy(() -> OwnDensity.load("A", folder.resolve("none") + "/*"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("there is no folder");
  }

  /** A target in libtorch operations. */
  public static final class Normal implements Target {
    @Override
    public Tensor logJoint(Observation x, Tensor z) {
      return z.square().sum(1).mul(Scalars.of(-0.5));
    }
  }

  @Test
  void aTargetMustBeToldItsDimensions() {
    var own = OwnDensity.load(Normal.class.getName(), "");
    assertThat(own.logDensity()).isEmpty();
    assertThatThrownBy(() -> own.fitting(OptionalInt.empty()))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("is a Target, which does not know its dimensions");
    try (var posterior =
        own.fitting(OptionalInt.of(2)).family(Family.MEAN_FIELD).steps(5).samples(20).run()) {
      assertThat(posterior.draws(3).size()).isEqualTo(3);
    }
  }
}
