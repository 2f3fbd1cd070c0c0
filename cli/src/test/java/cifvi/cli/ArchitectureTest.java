package cifvi.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The packages of the experiments and of the command. */
class ArchitectureTest {
  private static final long MOST_FILES = 25;

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("cifvi.experiments", "cifvi.cli");

  @Test
  void aPackageIsSmallEnoughToBeReadThrough() {
    Map<String, Long> files =
        ALL.stream()
            .filter(type -> !type.isNestedClass())
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    assertThat(files).containsKeys("cifvi.experiments.run", "cifvi.cli.report");
    files.forEach((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_FILES));
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("cifvi.(**)").should().beFreeOfCycles().check(ALL);
  }
}
