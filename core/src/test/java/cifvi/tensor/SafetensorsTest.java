package cifvi.tensor;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.nn.Parameters;
import cifvi.nn.ResidualMade;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files follow the published safetensors format, to the byte, and damaged ones are refused. */
@ExtendWith(NativeScope.class)
class SafetensorsTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void choose() {
    file = folder.resolve("model.safetensors");
  }

  /** One tensor of each type, not in order, with the numbers that are easiest to get wrong. */
  private static Map<String, Tensor> tensors() {
    var tensors = new LinkedHashMap<String, Tensor>();
    tensors.put("w", FLOAT32.tensor(new float[] {1.5f, -0f, Float.MIN_VALUE, 3, 4, 5}, 2, 3));
    tensors.put("a.double", FLOAT64.tensor(new double[] {Math.PI, Double.NaN}, 2));
    tensors.put("order", FLOAT32.longs(new long[] {Long.MIN_VALUE, 7}, 2));
    tensors.put("empty", FLOAT32.zeros(0, 3));
    tensors.put("scalar", FLOAT32.full(2.5));
    return tensors;
  }

  @Test
  void everyTypeComesBackBitForBit() throws IOException {
    Safetensors.write(file, tensors(), Map.of("step", "12", "note", "größer \"so\""));
    var content = Safetensors.read(file);
    assertThat(content.metadata())
        .containsOnly(Map.entry("step", "12"), Map.entry("note", "größer \"so\""));
    assertThat(content.tensors()).containsOnlyKeys(tensors().keySet());
    assertThat(Backend.doubles(Tensors.get(content.tensors(), "w")))
        .containsExactly(1.5, -0.0, Float.MIN_VALUE, 3, 4, 5);
    assertThat(Backend.doubles(Tensors.get(content.tensors(), "a.double")))
        .containsExactly(Math.PI, Double.NaN);
    assertThat(Backend.longs(Tensors.get(content.tensors(), "order")))
        .containsExactly(Long.MIN_VALUE, 7);
    content
        .tensors()
        .forEach((name, tensor) -> assertSameKind(tensor, Tensors.get(tensors(), name)));
  }

  private static void assertSameKind(Tensor actual, Tensor expected) {
    assertThat(actual).hasShape(expected.shape());
    assertThat(actual.scalar_type().intern()).isEqualTo(expected.scalar_type().intern());
  }

  @Test
  void theBytesAreThoseOfThePublishedFormat() throws IOException {
    var tensors = Map.of("b", FLOAT32.full(1, 2), "a", FLOAT32.longs(new long[] {-2}, 1, 1));
    Safetensors.write(file, tensors, Map.of("k", "v"));
    String header =
        "{\"__metadata__\":{\"k\":\"v\"},"
            + "\"a\":{\"dtype\":\"I64\",\"shape\":[1,1],\"data_offsets\":[0,8]},"
            + "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}";
    ByteBuffer bytes = bytes();
    assertThat(bytes.getLong() % 8).isZero();
    assertThat(header()).isEqualTo(header);
    ByteBuffer data = bytes.position(8 + Math.toIntExact(bytes.getLong(0)));
    assertThat(data.getLong()).isEqualTo(-2);
    assertThat(data.getFloat()).isEqualTo(1);
    assertThat(data.getFloat()).isEqualTo(1);
    assertThat(data.hasRemaining()).isFalse();
  }

  @Test
  void aViewIsWrittenAsItsOwnNumbers() throws IOException {
    Tensor matrix = FLOAT64.tensor(new double[] {1, 2, 3, 4, 5, 6}, 2, 3);
    Safetensors.write(file, Map.of("t", matrix.t()), Map.of());
    assertThat(Tensors.get(Safetensors.read(file).tensors(), "t")).isExactly(matrix.t());
  }

  @Test
  void equalContentsGiveEqualBytes() throws IOException {
    Safetensors.write(file, tensors(), Map.of("a", "1", "b", "2"));
    var reordered = new LinkedHashMap<String, Tensor>();
    tensors().entrySet().stream()
        .sorted(Map.Entry.<String, Tensor>comparingByKey().reversed())
        .forEach(e -> reordered.put(e.getKey(), e.getValue()));
    Path other = folder.resolve("other.safetensors");
    Safetensors.write(other, reordered, Map.of("b", "2", "a", "1"));
    assertThat(other).hasSameBinaryContentAs(file);
  }

  @Test
  void aModelIsSavedAndLoaded() throws IOException {
    var saved = new Parameters(FLOAT32, 1);
    var net = new ResidualMade(saved, 3, 8, 1, 2);
    Tensors.jitter(saved, 1, 0.3);
    Safetensors.write(file, saved.state(), Map.of());
    var loaded = new Parameters(FLOAT32, 2);
    var copy = new ResidualMade(loaded, 3, 8, 1, 2);
    loaded.load(Safetensors.read(file).tensors());
    Tensor w = Tensors.normal(FLOAT32, 1, 4, 3);
    assertThat(copy.apply(w)).isExactly(net.apply(w));
  }

  @Test
  void writingReplacesAndLeavesNothingBeside() throws IOException {
    Safetensors.write(file, Map.of("a", FLOAT32.zeros(100)), Map.of());
    Safetensors.write(file, Map.of("b", FLOAT32.zeros(1)), Map.of());
    assertThat(Safetensors.read(file).tensors()).containsOnlyKeys("b");
    assertThat(folder.toFile().list()).containsExactly("model.safetensors");
  }

  @Test
  void anotherTypeIsRefusedAndNothingIsWritten() {
    Tensor bytes = FLOAT32.zeros(2).to(ScalarType.Byte);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Safetensors.write(file, Map.of("b", bytes), Map.of()))
        .withMessage("b: cannot save dtype Byte");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aCutOffFileIsRefusedWhereverItIsCut() throws IOException {
    Safetensors.write(file, tensors(), Map.of("a", "1"));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length += 5) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertRefused("cut off");
    }
  }

  @Test
  void bytesTooManyAreRefused() throws IOException {
    Safetensors.write(file, tensors(), Map.of());
    Files.write(file, new byte[3], StandardOpenOption.APPEND);
    assertRefused("3 bytes too many");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "[]                                                                 | expected START_OBJECT",
        "{} {}                                                              | more than one",
        "{'a':3}                                                            | expected START_OBJECT",
        "{'a':                                                              | Unexpected end",
        "garbage!                                                           | Unrecognized token",
        "{'__metadata__':{'k':1}}                                           | expected VALUE_STRING",
        "{'a':{'dtype':'F16','shape':[2],'data_offsets':[0,4]}}             | of dtype F16",
        "{'a':{'dtype':null,'shape':[2],'data_offsets':[0,8]}}              | expected VALUE_STRING",
        "{'a':{'dtype':'F32','shape':[2.5],'data_offsets':[0,8]}}           | expected whole numbers",
        "{'a':{'dtype':'F32','shape':2,'data_offsets':[0,8]}}               | expected START_ARRAY",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8],'x':1}}       | unknown key x of a",
        "{'a':{'dtype':'F32','shape':[2]}}                                  | cannot read a",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}}             | a has shape [2] but 4 bytes",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[8,0]}}             | a has shape [2] but -8 bytes",
        "{'a':{'dtype':'F32','shape':[-2,-1],'data_offsets':[0,8]}}         | a has shape [-2, -1]",
        "{'a':{'dtype':'F32','shape':[4000000000000],'data_offsets':[0,8]}} | a has shape [4000000000000]",
        "{'a':{'dtype':'F32','shape':[8000000000,8000000000],'data_offsets':[0,8]}} | overflow",
        "{'a':{'dtype':'F32','shape':[0,4611686018427387904,2],'data_offsets':[0,0]}} | overflow",
        "{'a':{'dtype':'F32','shape':[0,-1],'data_offsets':[0,0]}}          | a has shape [0, -1]",
        "{'a':{'dtype':'F32','shape':[1],'data_offsets':[4,8]}}             | a begins at 4, not 0",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[-8,0]}}            | a begins at -8, not 0",
        "{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}             | 4 bytes too many",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]},'a':{}}      | Duplicate"
      })
  void aDamagedHeaderIsRefusedWithTheReason(String header, String reason) throws IOException {
    byte[] json = header.strip().replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    Files.write(file, little(8 + json.length + 8).putLong(json.length).put(json).array());
    assertRefused(reason);
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Safetensors.read(file))
        .withMessageContaining("model.safetensors");
  }

  private void assertRefused(String reason) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> Safetensors.read(file))
        .withMessageStartingWith(file.toString())
        .withMessageContaining(reason);
  }

  private ByteBuffer bytes() throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The header without the spaces that align the data. */
  private String header() throws IOException {
    ByteBuffer bytes = bytes();
    byte[] header = new byte[Math.toIntExact(bytes.getLong())];
    bytes.get(header);
    return new String(header, StandardCharsets.UTF_8).stripTrailing();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
