package cifvi.spark;

import cifvi.cli.cluster.Cluster;
import cifvi.cli.cluster.Workspace;
import java.util.Map;

/** Makes Spark known to the commands. */
public final class SparkProvider implements Cluster.Provider {
  /** For the service loader. */
  public SparkProvider() {}

  @Override
  public Cluster connect(
      String master, String name, Map<String, String> settings, Workspace workspace) {
    return SparkCluster.connect(master, name, settings, workspace);
  }

  @Override
  public Workspace workspace(String uri, Map<String, String> settings) {
    return HadoopWorkspace.open(uri, settings);
  }
}
