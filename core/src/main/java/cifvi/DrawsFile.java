package cifvi;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Draws as files that other programs read: CSV in the layout of CmdStan, and an archive of NumPy
 * arrays. Written under another name and renamed: a reader sees a whole file or none.
 */
final class DrawsFile {
  /** The columns before the parameters, as Stan names them. */
  static final List<String> STATISTICS = List.of("lp__", "log_p__", "log_g__");

  private DrawsFile() {}

  /** Writes to a file of the kind its name ends with; all but a Zarr store take the first alone. */
  static void write(List<Draws> chains, Path file) throws IOException {
    String name = file.getFileName().toString();
    if (name.endsWith(".zarr")) {
      new ZarrStore(file).write(chains);
      return;
    }
    Draws draws = chains.getFirst();
    Path temporary = file.resolveSibling(name + ".tmp");
    try {
      if (name.endsWith(".csv")) {
        csv(draws, temporary);
      } else if (name.endsWith(".npz")) {
        npz(draws, temporary);
      } else {
        throw new IllegalArgumentException(
            file + ": expected a name that ends with .csv, .npz or .zarr");
      }
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void csv(Draws draws, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("# draws of cifvi; log_p__ - log_g__ is the log-weight of a draw\n");
      out.write("# log_p__: log-density on the unconstrained space, with its Jacobian; so lp__\n");
      out.write("# log_g__: log q(z, u) - log r(u|z), which is log q(z) without an index u\n");
      out.write(String.join(",", STATISTICS) + "," + String.join(",", draws.names()) + "\n");
      var line = new StringBuilder();
      for (int i = 0; i < draws.size(); i++) {
        line.setLength(0);
        append(line, draws.logP(i)).append(',');
        append(line, draws.logP(i)).append(',');
        append(line, draws.logG(i));
        for (double x : draws.draw(i)) {
          append(line.append(','), x);
        }
        out.write(line.append('\n').toString());
      }
    }
  }

  /** As CmdStan writes what is no number. */
  private static StringBuilder append(StringBuilder line, double x) {
    if (Double.isNaN(x)) {
      return line.append("nan");
    }
    return Double.isInfinite(x) ? line.append(x > 0 ? "inf" : "-inf") : line.append(x);
  }

  /** One array a statistic and one a parameter, in its own shape behind the index of the draw. */
  private static void npz(Draws draws, Path file) throws IOException {
    try (var out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      for (DrawsArray array : DrawsArray.of(draws)) {
        var entry = new ZipEntry(array.name() + ".npy");
        entry.setTime(0); // equal draws give equal bytes
        out.putNextEntry(entry);
        npy(array, out);
        out.closeEntry();
      }
    }
  }

  /** Version 1 of NumPy's format: magic, a dictionary padded to 64 bytes, the numbers. */
  private static void npy(DrawsArray array, OutputStream out) throws IOException {
    var shape = new StringBuilder();
    array.shape().forEach(n -> shape.append(n).append(", "));
    String header =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape.toString().strip() + "), }";
    int length = Math.ceilDiv(10 + header.length() + 1, 64) * 64 - 10;
    var preamble = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
    preamble.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    preamble.put((byte) 1).put((byte) 0).putShort((short) length);
    out.write(preamble.array());
    out.write(
        (header + " ".repeat(length - header.length() - 1) + "\n")
            .getBytes(StandardCharsets.US_ASCII));
    array.writeTo(out);
  }
}
