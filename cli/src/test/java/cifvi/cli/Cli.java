package cifvi.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs the command in this process and keeps what it printed. */
public record Cli(int exitCode, String out, String err) {
  public static Cli run(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    var commandLine =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    int exitCode = commandLine.execute(words);
    return new Cli(exitCode, out.toString(), err.toString());
  }
}
