package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a parameter says of itself can be read again. */
class DeclarationTest {
  static List<Parameter> parameters() {
    return List.of(
        Parameter.real("mu"),
        Parameter.positive("tau"),
        Parameter.lower("a", -1e-300),
        Parameter.upper("b", 2),
        Parameter.interval("p", -0.5, 1e10),
        Parameter.positive("tau").vector(3),
        Parameter.real("beta").matrix(3, 2).array(2, 4),
        Parameter.simplex("pi", 4).array(8),
        Parameter.ordered("c", 5),
        Parameter.positiveOrdered("c", 5),
        Parameter.unitVector("u", 3),
        Parameter.correlationCholesky("L", 3),
        Parameter.covarianceCholesky("L", 3),
        Parameter.covarianceCholesky("L", 3, 2));
  }

  @ParameterizedTest
  @MethodSource("parameters")
  void isReadAgain(Parameter parameter) {
    Parameter again = Parameter.parse(parameter.toString());
    assertThat(again).hasToString(parameter.toString());
    var space = ParameterSpace.of(parameter);
    assertThat(ParameterSpace.of(again).names()).isEqualTo(space.names());
    assertThat(ParameterSpace.of(again).unconstrainedSize()).isEqualTo(space.unconstrainedSize());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "mu", "real", "integer n", "vector mu", "simplex mu", "real<lower=x> a"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Parameter.parse(text)).hasMessageContaining("is no declaration");
  }
}
