package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Declarations, as Stan writes them, and what is refused. */
class ParameterTest {
  private static void refused(ThrowingCallable declaration, String message) {
    assertThatIllegalArgumentException().isThrownBy(declaration).withMessage(message);
  }

  @Test
  void declarationsAreStan() {
    assertThat(
            List.of(
                Parameter.real("mu"),
                Parameter.positive("tau").vector(3),
                Parameter.lower("x", -2.5).matrix(2, 3).array(8),
                Parameter.upper("x", 4).array(2, 3),
                Parameter.interval("p", 0, 1),
                Parameter.simplex("pi", 4).array(8),
                Parameter.ordered("c", 5),
                Parameter.positiveOrdered("c", 5),
                Parameter.unitVector("u", 3),
                Parameter.correlationCholesky("L", 3),
                Parameter.covarianceCholesky("S", 3),
                Parameter.covarianceCholesky("S", 3, 2).array(2)))
        .map(Parameter::toString)
        .containsExactly(
            "real mu",
            "vector<lower=0.0>[3] tau",
            "array[8] matrix<lower=-2.5>[2, 3] x",
            "array[2, 3] real<upper=4.0> x",
            "real<lower=0.0, upper=1.0> p",
            "array[8] simplex[4] pi",
            "ordered[5] c",
            "positive_ordered[5] c",
            "unit_vector[3] u",
            "cholesky_factor_corr[3] L",
            "cholesky_factor_cov[3] S",
            "array[2] cholesky_factor_cov[3, 2] S");
  }

  @Test
  void dimensionsOfTheArrayComeFirst() {
    assertThat(Parameter.real("B").matrix(2, 3).array(5).array(4).dimensions())
        .containsExactly(4, 5, 2, 3);
    assertThat(Parameter.real("mu").dimensions()).isEmpty();
  }

  /** As in Stan. */
  @Test
  void anInfiniteBoundIsNone() {
    double infinity = Double.POSITIVE_INFINITY;
    assertThat(
            List.of(
                Parameter.lower("x", -infinity),
                Parameter.upper("x", infinity),
                Parameter.interval("x", 1, infinity),
                Parameter.interval("x", -infinity, 1),
                Parameter.interval("x", -infinity, infinity)))
        .map(Parameter::toString)
        .containsExactly("real x", "real x", "real<lower=1.0> x", "real<upper=1.0> x", "real x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "a b", "a,b", "a.1", "a\n", "\"a\"", "1a", "_a", "lp__", "\u00b5", "a[1]"
      })
  void aNameThatBreaksAFileIsRefused(String name) {
    refused(
        () -> Parameter.real(name),
        "\""
            + name
            + "\" is no name for a parameter: take letters of a to z, digits and _, a letter"
            + " first, and no __ at the end, which columns such as lp__ have");
  }

  @Test
  void boundsThatLeaveNothingAreRefused() {
    refused(
        () -> Parameter.interval("p", 1, 0),
        "p: expected a lower bound below the upper, got 1.0 and 0.0; swap or mend them");
    refused(
        () -> Parameter.interval("p", 1, 1),
        "p: expected a lower bound below the upper, got 1.0 and 1.0; swap or mend them");
    refused(
        () -> Parameter.lower("p", Double.NaN),
        "p: expected a lower bound below the upper, got NaN and Infinity; swap or mend them");
    refused(
        () -> Parameter.upper("p", Double.NEGATIVE_INFINITY),
        "p: expected a lower bound below the upper, got -Infinity and -Infinity; swap or mend"
            + " them");
    refused(
        () -> Parameter.interval("p", 1, Math.nextUp(1.0)),
        "p: there is no double between the bounds 1.0 and 1.0000000000000002; move them apart");
    refused(
        () -> Parameter.interval("p", -1e308, 1e308),
        "p: the distance of the bounds -1.0E308 and 1.0E308 exceeds the largest double; take"
            + " real(...)");
    refused(
        () -> Parameter.lower("p", Double.MAX_VALUE),
        "p: there is no double between the bounds 1.7976931348623157E308 and Infinity; move them"
            + " apart");
  }

  @Test
  void sizesBelowOneAreRefused() {
    List<ThrowingCallable> declarations =
        List.of(
            () -> Parameter.simplex("x", 0),
            () -> Parameter.ordered("x", 0),
            () -> Parameter.positiveOrdered("x", 0),
            () -> Parameter.unitVector("x", 0),
            () -> Parameter.correlationCholesky("x", 0),
            () -> Parameter.covarianceCholesky("x", 0),
            () -> Parameter.real("x").vector(0),
            () -> Parameter.real("x").matrix(3, 0),
            () -> Parameter.real("x").array(3, 0));
    for (ThrowingCallable declaration : declarations) {
      refused(declaration, "x: expected a size of at least 1, got 0");
    }
  }

  @Test
  void formsThatStanHasNotAreRefused() {
    refused(
        () -> Parameter.simplex("pi", 3).vector(2),
        "pi: a vector is made of scalars, not of simplex[3] pi; say array(...) last, for arrays of"
            + " anything");
    refused(
        () -> Parameter.real("x").array(2).matrix(2, 2),
        "x: a matrix is made of scalars, not of array[2] real x; say array(...) last, for arrays"
            + " of anything");
    refused(
        () -> Parameter.covarianceCholesky("L", 2, 3),
        "L: expected at least as many rows as columns, got 2 x 3");
  }

  @Test
  void moreThanAnArrayHoldsIsRefused() {
    refused(
        () -> Parameter.real("x").matrix(100_000, 100_000),
        "matrix[100000, 100000] x: more than 2147483647 numbers; make it smaller");
    refused(
        () -> Parameter.correlationCholesky("L", 1_000_000),
        "cholesky_factor_corr[1000000] L: more than 2147483647 numbers; make it smaller");
    refused(
        () -> Parameter.simplex("x", 1 << 20).array(1 << 20, 1 << 20, 1 << 20, 1 << 20),
        "array[1048576, 1048576, 1048576, 1048576] simplex[1048576] x: more than 2147483647"
            + " numbers; make it smaller");
  }
}
