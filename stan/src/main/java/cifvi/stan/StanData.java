package cifvi.stan;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The data of a model.
 *
 * @param json the text itself; empty for none
 * @param from where it comes from, for people
 */
record StanData(String json, String from) {
  /** JSON begins with a brace; anything else is a file. */
  static StanData of(String data) {
    String text = data.strip();
    if (text.isEmpty()) {
      return new StanData("", "no data");
    }
    return text.startsWith("{") ? new StanData(text, "its data") : read(Path.of(text));
  }

  private static StanData read(Path file) {
    if (!Files.exists(file)) {
      throw new IllegalArgumentException("data: there is no file " + file);
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException("data: " + file + " is no file that can be read");
    }
    try {
      String json = Files.readString(file);
      if (json.isBlank()) {
        throw new IllegalArgumentException("data: " + file + " is empty; expected {…}");
      }
      return new StanData(json, file.toString());
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("data: " + file + " is no text in UTF-8", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("data: " + file + " cannot be read: " + e, e);
    }
  }

  String hash() {
    return Sha256.of(json);
  }
}
