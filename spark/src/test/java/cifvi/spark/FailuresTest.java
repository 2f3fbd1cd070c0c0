package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What Spark throws, in words. */
class FailuresTest {
  @Test
  void aWorkerWithAnOldJavaIsNamed() {
    var thrown =
        new IllegalStateException(
            "Job aborted due to stage failure: Lost task: java.lang.UnsupportedClassVersionError:"
                + " cifvi/spark/CheckTask has been compiled by a more recent version of the Java"
                + " Runtime (class file version 69.0), this version of the Java Runtime only"
                + " recognizes class file versions up to 61.0");
    assertThat(Failures.explained(thrown))
        .hasMessageContaining("a worker runs Java 17, and JDK 25.0.3 or newer is needed")
        .hasMessageContaining("spark.executorEnv.JAVA_HOME");
  }

  @Test
  void anythingElseIsItsFirstLine() {
    assertThat(Failures.explained(new IllegalStateException("one\ntwo")))
        .hasMessage("Spark: java.lang.IllegalStateException: one");
  }
}
