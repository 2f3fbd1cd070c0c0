package cifvi.cli.cluster;

import cifvi.experiments.files.UserException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the work is done, if not here. */
public final class ClusterOptions {
  @Option(
      names = "--master",
      paramLabel = "URL",
      description = "Work on Apache Spark: local[N], spark://HOST:PORT, yarn or k8s://URL.")
  private @Nullable String master;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "With --master: a setting of Spark's; may be given several times.")
  private Map<String, String> conf = new LinkedHashMap<>();

  /** As given; under spark-submit that is where it was given. */
  private @Nullable String master() {
    return master == null ? System.getProperty("spark.master") : master;
  }

  public boolean isGiven() {
    return master() != null;
  }

  /** Refuses what is without use here. */
  public void requireMaster(String option, boolean given) {
    if (given && !isGiven()) {
      throw new UserException(option + ": works with --master only: give that, too");
    }
  }

  /** A folder by its path, or by the URI of a file system that the cluster knows. */
  public Workspace workspace(String option, String address) {
    if (!isUri(address)) {
      return Cluster.local(Path.of(address));
    }
    requireMaster(option + " " + address, true);
    return provider().workspace(address, conf);
  }

  /** Whether this is no path; a single letter is a drive. */
  public static boolean isUri(String address) {
    return address.matches("[A-Za-z][A-Za-z0-9+.-]+:/.*");
  }

  public Cluster connect(String name, Workspace workspace) {
    String url = master();
    if (url == null) {
      throw new IllegalStateException("no --master");
    }
    return provider().connect(url, name, conf, workspace);
  }

  private static Cluster.Provider provider() {
    return ServiceLoader.load(Cluster.Provider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    "--master: Spark is not on the class path: start with ./cifvi, which adds it,"
                        + " or by spark-submit"));
  }
}
