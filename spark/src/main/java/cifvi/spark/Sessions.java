package cifvi.spark;

import cifvi.experiments.files.UserException;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** Opens sessions with settings that suit tasks which are processes of their own. */
final class Sessions {
  private Sessions() {}

  /** Spark's own settings win over ours, those of the user over both. */
  static SparkSession open(
      Masters master, String name, Map<String, String> settings, List<String> jars) {
    master.requireReachable();
    var conf = new SparkConf().setAppName(name).setMaster(master.url());
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.setIfMissing("spark.ui.showConsoleProgress", "false");
    conf.setIfMissing("spark.locality.wait", "0");
    // Parameters may be called a and A.
    conf.setIfMissing("spark.sql.caseSensitive", "true");
    // A lost machine is no fault of the cell.
    conf.setIfMissing("spark.task.maxFailures", "16");
    // Executors only start processes, whose memory is beside theirs.
    conf.setIfMissing("spark.executor.memory", "512m");
    conf.setIfMissing("spark.executor.memoryOverhead", "2g");
    // Java takes names of files for ASCII in the locale C.
    conf.setIfMissing("spark.executorEnv.LC_ALL", "C.UTF-8");
    if (master.isOnThisMachine()) {
      conf.setIfMissing("spark.driver.host", Masters.loopback());
      conf.setIfMissing("spark.driver.bindAddress", Masters.loopback());
    }
    if (!master.isLocal() && !jars.isEmpty()) {
      conf.set("spark.jars", String.join(",", jars));
    }
    settings.forEach(conf::set);
    try {
      return SparkSession.builder().config(conf).getOrCreate();
    } catch (IllegalArgumentException e) {
      throw new UserException("--conf or --master: " + e.getMessage(), e);
    }
  }
}
