package cifvi.spark;

import cifvi.cli.cluster.Workspace;
import cifvi.experiments.files.Csv;
import cifvi.experiments.files.UserException;
import cifvi.experiments.sweep.Job;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Metrics and draws of all cells as one Parquet data set. Its columns are the cell, what varies
 * over the sweep, and all columns of the tables; {@code table=metrics} and {@code table=draws} are
 * its parts.
 */
record SweepParquet(SparkSession session, Workspace workspace, List<Job> jobs) {
  private static final List<String> TABLES = List.of("metrics", "draws");
  private static final List<String> COUNTS = List.of("step", "epoch");

  /** Refuses to replace what is not such a data set. */
  static void require(SparkSession session, String to) {
    try {
      var path = new Path(to);
      var files = path.getFileSystem(session.sparkContext().hadoopConfiguration());
      if (files.exists(path)
          && files.listStatus(path).length > 0
          && !files.exists(new Path(path, "_SUCCESS"))) {
        throw new UserException(
            "--parquet " + to + ": is not empty and no Parquet data set: choose another folder");
      }
    } catch (IOException e) {
      throw RemoteFiles.unusable("--parquet " + to, e);
    }
  }

  void write(String to) {
    require(session, to);
    try {
      Optional<Dataset<Row>> all = Optional.empty();
      for (String table : TABLES) {
        for (var group : byColumns(table).entrySet()) {
          Dataset<Row> part = read(table, group.getKey(), group.getValue());
          all = Optional.of(all.map(some -> some.unionByName(part, true)).orElse(part));
        }
      }
      all.orElseThrow(() -> new UserException("--parquet: no cell has written anything yet"))
          .write()
          .mode(SaveMode.Overwrite)
          .partitionBy("table")
          .parquet(to);
    } catch (IOException e) {
      throw RemoteFiles.unusable("--parquet " + to, e);
    }
  }

  /** The files of one table; those with the same columns are read at once. */
  private Map<List<String>, List<String>> byColumns(String table) throws IOException {
    var groups = new LinkedHashMap<List<String>, List<String>>();
    for (Job job : jobs) {
      String file = workspace.address() + "/" + job.cell().name() + "/" + table + ".csv";
      header(file).ifPresent(h -> groups.computeIfAbsent(h, _ -> new ArrayList<>()).add(file));
    }
    return groups;
  }

  private Optional<List<String>> header(String file) throws IOException {
    var path = new Path(file);
    var files = path.getFileSystem(session.sparkContext().hadoopConfiguration());
    try (var in = files.open(path);
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.startsWith("#")).findFirst().map(Csv::cells);
    } catch (FileNotFoundException _) {
      return Optional.empty();
    }
  }

  private Dataset<Row> read(String table, List<String> columns, List<String> files) {
    var schema = new StructType();
    for (String column : columns) {
      schema =
          schema.add(column, COUNTS.contains(column) ? DataTypes.LongType : DataTypes.DoubleType);
    }
    Dataset<Row> rows =
        session
            .read()
            .schema(schema)
            .option("header", true)
            .option("comment", "#")
            .option("positiveInf", "Infinity")
            .option("negativeInf", "-Infinity")
            .csv(files.toArray(String[]::new));
    return rows.withColumn(
            "cell", functions.element_at(functions.split(functions.input_file_name(), "/"), -2))
        .join(functions.broadcast(cells(columns)), "cell")
        .withColumn("table", functions.lit(table));
  }

  /** What varies, by the name of the cell. */
  private Dataset<Row> cells(List<String> taken) {
    var varying = new LinkedHashSet<String>();
    jobs.forEach(job -> varying.addAll(job.cell().varying()));
    varying.removeAll(taken);
    var schema = new StructType().add("cell", DataTypes.StringType);
    for (String key : varying) {
      schema = schema.add(key, DataTypes.StringType);
    }
    var rows = new ArrayList<Row>();
    for (Job job : jobs) {
      var values = new ArrayList<Object>(List.of(job.cell().name()));
      varying.forEach(key -> values.add(job.cell().options().getOrDefault(key, "")));
      rows.add(RowFactory.create(values.toArray()));
    }
    return session.createDataFrame(rows, schema);
  }
}
