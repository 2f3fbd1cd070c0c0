package cifvi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a page links to or names is there: pages, headings, files, types. */
class LinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> MADE = Set.of("target", ".git", "runs");
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(#[^)\\s]+)?\\)");
  private static final Pattern PAGE = Pattern.compile("docs/[\\w-]+\\.(?:md|png)");
  private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern TYPE = Pattern.compile("(?<![-:\\w])[A-Z][a-z]+[A-Z]\\w*");
  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  @Test
  void linksLeadSomewhere() throws IOException {
    var broken = new ArrayList<String>();
    for (Path page : files(".md")) {
      String text = CODE.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult link : LINK.matcher(text).results().toList()) {
        Path to = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
        boolean there = Files.exists(to);
        boolean heading = link.group(2) == null || (there && anchors(to).contains(link.group(2)));
        if (!there || !heading) {
          broken.add(ROOT.relativize(page) + ": " + link.group());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void pagesThatAreNamedExist() throws IOException {
    var missing = new ArrayList<String>();
    for (Path file : files(".md", ".java", ".cu", ".cuh", ".xml", ".yaml", "cifvi", "pack")) {
      for (MatchResult page : PAGE.matcher(Files.readString(file)).results().toList()) {
        if (!Files.exists(ROOT.resolve(page.group()))) {
          missing.add(ROOT.relativize(file) + ": " + page.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Types have other names now and then: the pages follow. */
  @Test
  void typesThatAreNamedExist() throws IOException {
    Set<String> words = new HashSet<>();
    for (Path source : files(".java", ".cu", ".cuh")) {
      WORD.matcher(Files.readString(source)).results().map(MatchResult::group).forEach(words::add);
    }
    var unknown = new ArrayList<String>();
    for (Path page : pages()) {
      String text = CODE.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult span : SPAN.matcher(text).results().toList()) {
        TYPE.matcher(span.group(1))
            .results()
            .map(MatchResult::group)
            .filter(type -> !words.contains(type))
            .forEach(type -> unknown.add(ROOT.relativize(page) + ": " + type));
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    String text = CODE.matcher(Files.readString(page)).replaceAll("");
    return HEADING
        .matcher(text)
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(words -> "#" + words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<Path> pages() throws IOException {
    return files(".md").stream().filter(page -> !page.endsWith("CHANGELOG.md")).toList();
  }

  private static List<Path> files(String... endings) throws IOException {
    var files = new ArrayList<Path>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean made =
                MADE.contains(folder.getFileName().toString())
                    && Files.exists(folder.resolveSibling("pom.xml")); // there are packages, too
            return made ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (List.of(endings).stream().anyMatch(file.getFileName().toString()::endsWith)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
