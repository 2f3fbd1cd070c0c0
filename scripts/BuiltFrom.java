import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes which commit a build is made from, and whether the sources of the program were changed
 * since: {@code java BuiltFrom.java ROOT FILE}. Both are unknown, and nothing fails, where there is
 * no git or ROOT is not a repository of its own, such as an unpacked archive of sources.
 */
public final class BuiltFrom {
  private static final List<String> SOURCES =
      List.of("pom.xml", "core/pom.xml", "core/src/main", "stan/pom.xml", "stan/src/main", "experiments/pom.xml",
          "experiments/src/main", "cli/pom.xml", "cli/src/main");

  public static void main(String[] args) throws IOException, InterruptedException {
    Path root = Path.of(args[0]).toRealPath();
    Path file = Path.of(args[1]);
    String commit = "unknown";
    String changed = "unknown";
    try {
      if (Path.of(git(root, List.of("rev-parse", "--show-toplevel"))).toRealPath().equals(root)) {
        var status = new ArrayList<>(List.of("status", "--porcelain", "--"));
        status.addAll(SOURCES);
        String head = git(root, List.of("rev-parse", "--verify", "HEAD"));
        changed = git(root, status).isEmpty() ? "no" : "yes";
        commit = head;
      }
    } catch (IOException e) {
      // no git, no repository, or one that git does not trust
    }
    String text = "commit=" + commit + "\nchanged_since=" + changed + "\n";
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
    }
  }

  /** What git says of the repository at {@code root}, whatever the environment names. */
  private static String git(Path root, List<String> words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git", "-C", root.toString(), "-c", "core.fsmonitor=false"));
    command.addAll(words);
    var builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("git " + words);
    }
    return said.strip();
  }
}
