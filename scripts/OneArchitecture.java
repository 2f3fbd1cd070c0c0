import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Blanks the machine code for all GPUs but those of one architecture in a shared library, in place:
 * {@code java OneArchitecture.java libtorch_cuda.so 90}. Nothing moves, so the library works as
 * before on such GPUs, and compresses to a fraction.
 *
 * <p>The section {@code .nv_fatbin} is a list of containers, one a source file; each has a header
 * and one entry for every architecture, of which the driver reads the one it needs.
 */
public final class OneArchitecture {
  private static final int CONTAINER = 0xBA55ED50;
  private static final int SECTION_BYTES = 64;

  private record Entry(int architecture, long start, long size) {}

  public static void main(String[] args) throws IOException {
    int wanted = Integer.parseInt(args[1]);
    try (var file =
        FileChannel.open(
            Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer elf = map(file, 0, (int) Math.min(file.size(), 64));
      ByteBuffer sections =
          map(file, elf.getLong(40), SECTION_BYTES * Short.toUnsignedInt(elf.getShort(60)));
      int names = Short.toUnsignedInt(elf.getShort(62));
      ByteBuffer texts = section(file, sections, names);
      for (int i = 0; i * SECTION_BYTES < sections.capacity(); i++) {
        if (text(texts, sections.getInt(i * SECTION_BYTES)).equals(".nv_fatbin")) {
          long blanked = blank(section(file, sections, i), wanted);
          System.out.printf(java.util.Locale.ROOT, "%s: %,d bytes blanked%n", args[0], blanked);
        }
      }
    }
  }

  private static long blank(ByteBuffer code, int wanted) {
    long blanked = 0;
    for (int at = 0; at < code.capacity(); ) {
      if (code.getInt(at) != CONTAINER) {
        at += 8; // alignment
        continue;
      }
      int first = at + Short.toUnsignedInt(code.getShort(at + 6));
      int end = first + Math.toIntExact(code.getLong(at + 8));
      List<Entry> entries = entries(code, first, end);
      if (entries.stream().anyMatch(entry -> entry.architecture() == wanted)) {
        for (Entry entry : entries) {
          if (entry.architecture() != wanted) {
            code.put((int) entry.start(), new byte[(int) entry.size()]);
            blanked += entry.size();
          }
        }
      }
      at = end;
    }
    return blanked;
  }

  private static List<Entry> entries(ByteBuffer code, int first, int end) {
    var entries = new ArrayList<Entry>();
    for (long at = first; at < end; ) {
      long start = at + code.getInt((int) at + 4);
      long size = code.getLong((int) at + 8);
      entries.add(new Entry(code.getInt((int) at + 28), start, size));
      at = start + size;
    }
    return entries;
  }

  private static ByteBuffer section(FileChannel file, ByteBuffer sections, int index)
      throws IOException {
    int at = index * SECTION_BYTES;
    return map(file, sections.getLong(at + 24), Math.toIntExact(sections.getLong(at + 32)));
  }

  private static ByteBuffer map(FileChannel file, long at, int size) throws IOException {
    return file.map(MapMode.READ_WRITE, at, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String text(ByteBuffer texts, int at) {
    int end = at;
    while (texts.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    texts.get(at, bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private OneArchitecture() {}
}
