package cifvi;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws as a Zarr store (version 2 of the format) that xarray opens and ArviZ reads: a group {@code
 * posterior} and a group {@code sample_stats}, every array with the dimensions chain and draw
 * before its own. An array is one uncompressed chunk. A chain is a start of the fit, its draws
 * being independent.
 */
record ZarrStore(Path folder) {
  /** Chains of the same length. */
  void write(List<Draws> chains) throws IOException {
    Draws draws = chains.getFirst();
    if (Files.exists(folder)) {
      throw new FileAlreadyExistsException(
          folder + ": is there already; remove it, or name another");
    }
    Path temporary = folder.resolveSibling(folder.getFileName() + ".tmp");
    delete(temporary);
    group(temporary);
    for (String name : List.of("posterior", "sample_stats")) {
      Path group = temporary.resolve(name);
      group(group);
      coordinate(group, "chain", chains.size());
      coordinate(group, "draw", draws.size());
    }
    List<List<DrawsArray>> arrays = chains.stream().map(DrawsArray::of).toList();
    for (int a = 0; a < arrays.getFirst().size(); a++) {
      DrawsArray array = arrays.getFirst().get(a);
      String name = array.name().replace("__", "");
      Path group = temporary.resolve(array.statistic() ? "sample_stats" : "posterior");
      List<Integer> shape = concat(List.of(chains.size()), array.shape());
      var dimensions = new ArrayList<>(List.of("chain", "draw"));
      IntStream.range(2, shape.size()).forEach(i -> dimensions.add(name + "_dim_" + (i - 2)));
      try (var out =
          new BufferedOutputStream(chunk(group.resolve(name), "<f8", shape, dimensions))) {
        for (List<DrawsArray> chain : arrays) {
          chain.get(a).writeTo(out);
        }
      }
    }
    Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void group(Path group) throws IOException {
    Files.createDirectories(group);
    Files.writeString(group.resolve(".zgroup"), "{\"zarr_format\": 2}\n");
    Files.writeString(
        group.resolve(".zattrs"),
        "{\"inference_library\": \"cifvi\", \"creation_library\": \"cifvi\"}\n");
  }

  /** 0, 1, … under the name of its own dimension. */
  private static void coordinate(Path group, String name, int size) throws IOException {
    var numbers = ByteBuffer.allocate(Long.BYTES * size).order(ByteOrder.LITTLE_ENDIAN);
    IntStream.range(0, size).forEach(numbers::putLong);
    try (var out = chunk(group.resolve(name), "<i8", List.of(size), List.of(name))) {
      out.write(numbers.array());
    }
  }

  /** Where the numbers of an array go, its description being written. */
  private static java.io.OutputStream chunk(
      Path array, String type, List<Integer> shape, List<String> dimensions) throws IOException {
    Files.createDirectories(array);
    Files.writeString(
        array.resolve(".zarray"),
        """
        {"zarr_format": 2, "shape": %1$s, "chunks": %1$s, "dtype": "%2$s", "order": "C",
         "compressor": null, "filters": null, "fill_value": null}
        """
            .formatted(shape, type));
    Files.writeString(
        array.resolve(".zattrs"),
        "{\"_ARRAY_DIMENSIONS\": %s}\n"
            .formatted(
                dimensions.stream()
                    .map(name -> '"' + name + '"')
                    .collect(Collectors.joining(", ", "[", "]"))));
    String only = shape.stream().map(_ -> "0").collect(Collectors.joining("."));
    return Files.newOutputStream(array.resolve(only));
  }

  private static <T> List<T> concat(List<T> a, List<T> b) {
    return Stream.concat(a.stream(), b.stream()).toList();
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
