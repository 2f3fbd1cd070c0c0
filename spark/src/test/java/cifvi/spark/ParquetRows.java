package cifvi.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** A Parquet data set as another program reads it. */
final class ParquetRows {
  private ParquetRows() {}

  static long count(Path folder, String condition) {
    SparkSession session =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate();
    try {
      return session.read().parquet(folder.toString()).where(condition).count();
    } finally {
      session.stop();
    }
  }
}
