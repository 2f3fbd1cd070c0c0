package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of draws hold the draws. */
class DrawsFileTest {
  private static final ParameterSpace SPACE =
      ParameterSpace.of(Parameter.positive("tau"), Parameter.real("m").matrix(2, 3));
  private static final Draws DRAWS =
      new Draws(
          SPACE,
          new double[] {0, 11, 21, 12, 22, 13, 23, 1, 110, 210, 120, 220, 130, 230},
          new double[] {-1.5, Double.NEGATIVE_INFINITY},
          new double[] {-2.25, 0.1},
          1);

  @TempDir Path folder;

  @Test
  void csvHasTheLayoutOfStan() throws IOException {
    Path file = folder.resolve("draws.csv");
    DRAWS.write(file);
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.subList(0, 3)).allMatch(line -> line.startsWith("# "));
    assertThat(lines.subList(3, 6))
        .containsExactly(
            "lp__,log_p__,log_g__,tau,m.1.1,m.2.1,m.1.2,m.2.2,m.1.3,m.2.3",
            "-1.5,-1.5,-2.25,1.0,11.0,21.0,12.0,22.0,13.0,23.0",
            "-inf,-inf,0.1," + Math.E + ",110.0,210.0,120.0,220.0,130.0,230.0");
    assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void arraysHaveTheShapeOfTheirParameter() throws IOException {
    Path file = folder.resolve("draws.npz");
    DRAWS.write(file);
    Map<String, byte[]> entries = new HashMap<>();
    try (var zip = new ZipFile(file.toFile())) {
      for (var entry : zip.stream().toList()) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    assertThat(entries)
        .containsOnlyKeys("lp__.npy", "log_p__.npy", "log_g__.npy", "tau.npy", "m.npy");
    byte[] m = Objects.requireNonNull(entries.get("m.npy"));
    int header = 10 + ByteBuffer.wrap(m).order(ByteOrder.LITTLE_ENDIAN).getShort(8);
    assertThat(header % 64).isZero();
    assertThat(new String(m, 10, header - 10, StandardCharsets.US_ASCII))
        .startsWith("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 3,), }");
    assertThat(doubles(Arrays.copyOfRange(m, header, m.length)))
        .containsExactly(11, 12, 13, 21, 22, 23, 110, 120, 130, 210, 220, 230);
  }

  @Test
  void aStoreHasGroupsAndNamedDimensions() throws IOException {
    Path store = folder.resolve("draws.zarr");
    DRAWS.write(store);
    assertThat(store.resolve("posterior/m/.zattrs"))
        .hasContent("{\"_ARRAY_DIMENSIONS\": [\"chain\", \"draw\", \"m_dim_0\", \"m_dim_1\"]}");
    assertThat(Files.readString(store.resolve("posterior/m/.zarray")))
        .contains("\"shape\": [1, 2, 2, 3]");
    assertThat(doubles(Files.readAllBytes(store.resolve("posterior/m/0.0.0.0"))))
        .containsExactly(11, 12, 13, 21, 22, 23, 110, 120, 130, 210, 220, 230);
    assertThat(doubles(Files.readAllBytes(store.resolve("sample_stats/log_g/0.0"))))
        .containsExactly(-2.25, 0.1);
    assertThatThrownBy(() -> DRAWS.write(store)).hasMessageContaining("is there already");
  }

  @Test
  void anUnknownKindIsRefused() {
    assertThatThrownBy(() -> DRAWS.write(folder.resolve("draws.xls")))
        .hasMessageContaining("draws.xls: expected a name that ends with .csv, .npz or .zarr");
    assertThat(folder).isEmptyDirectory();
  }

  private static double[] doubles(byte[] bytes) {
    double[] numbers = new double[bytes.length / Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(numbers);
    return numbers;
  }
}
