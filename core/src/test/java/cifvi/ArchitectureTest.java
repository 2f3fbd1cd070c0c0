package cifvi;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of the packages, and what no class may do (DESIGN, section 2). */
class ArchitectureTest {
  /** A package may use only those before it. */
  private static final List<String> ORDER =
      List.of(
          "parameter",
          "tensor",
          "nn",
          "bijection",
          "distribution",
          "target",
          "posterior",
          "start",
          "vi",
          "engine",
          "density",
          "diagnostics");

  private static final long MOST_FILES = 25;

  /** Methods of JavaCPP's {@code Pointer}. */
  private static final Set<String> REFERENCE_COUNTING =
      Set.of("retainReference", "releaseReference");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("cifvi");

  static List<String> packages() {
    return ORDER.subList(0, ORDER.size() - 1);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackageUsesOnlyThoseBeforeIt(String name) {
    int i = ORDER.indexOf(name);
    String[] later =
        IntStream.range(i + 1, ORDER.size())
            .mapToObj(j -> within(ORDER.get(j)))
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(within(name))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later)
        .allowEmptyShould(true)
        .check(CORE);
  }

  private static String within(String name) {
    return "cifvi." + name + "..";
  }

  @Test
  void everyPackageHasAPlaceInTheOrder() {
    assertThat(names(CORE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet())))
        .isSubsetOf(ORDER)
        .contains("tensor", "engine");
  }

  private static Set<String> names(Set<String> packages) {
    return packages.stream()
        .filter(p -> !p.equals("cifvi")) // the front door, which may use all of them
        .map(p -> p.split("\\.", -1)[1])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aPackageIsSmallEnoughToBeReadThrough() {
    CORE.stream()
        .filter(type -> !type.isNestedClass())
        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()))
        .forEach((name, files) -> assertThat(files).as(name).isLessThanOrEqualTo(MOST_FILES));
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("cifvi.(**)").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void onlyTheNamedLibrariesAreUsed() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "cifvi..",
            "java..",
            "jdk.incubator.vector..",
            "org.bytedeco..",
            "tools.jackson.core..",
            "org.jspecify..",
            "org.slf4j..")
        .check(CORE);
  }

  /** A model's declaration starts no native library. */
  @Test
  void parametersArePlainJava() {
    classes()
        .that()
        .resideInAPackage("cifvi.parameter..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("cifvi.parameter..", "java..", "org.jspecify..")
        .check(CORE);
  }

  @Test
  void nothingIsPrinted() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
  }

  @Test
  void nothingStopsTheProcess() {
    noClasses()
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(CORE);
  }

  @Test
  void onlyScopeCountsReferences() {
    var callers =
        CORE.stream()
            .filter(c -> c.getMethodCallsFromSelf().stream().anyMatch(ArchitectureTest::counts))
            .map(JavaClass::getName);
    assertThat(callers).containsExactly("cifvi.tensor.Scope");
  }

  private static boolean counts(JavaMethodCall call) {
    return REFERENCE_COUNTING.contains(call.getTarget().getName());
  }

  /**
   * The surface is meant: what is public is listed, beside this test. What packages need of each
   * other lies in one named {@code internal}.
   */
  @Test
  void publicTypesAreThoseOfTheList() throws IOException {
    String types =
        CORE.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(type -> !type.isNestedClass() && !type.getSimpleName().equals("package-info"))
            .map(JavaClass::getName)
            .filter(name -> !name.contains(".internal."))
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));
    try (var list = ArchitectureTest.class.getResourceAsStream("public-types.txt")) {
      assertThat(types).isEqualTo(new String(list.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void everyPackageIsNullMarked() throws ClassNotFoundException {
    for (String name : CORE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet())) {
      Class<?> info = Class.forName(name + ".package-info");
      assertThat(info.isAnnotationPresent(NullMarked.class)).as(name).isTrue();
    }
  }
}
