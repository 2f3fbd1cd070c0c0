package cifvi.experiments.doctor;

import java.util.Locale;

/**
 * One thing that was looked at.
 *
 * @param remedy what helps, in one line; empty where nothing is amiss
 */
public record Finding(String topic, Level level, String found, String remedy) {
  /** How well things stand. */
  public enum Level {
    OK,
    /** Works, but something more is to be had. */
    NOTE,
    /** Something that every run needs is broken. */
    BROKEN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Finding ok(String topic, String found) {
    return new Finding(topic, Level.OK, found, "");
  }

  static Finding note(String topic, String found, String remedy) {
    return new Finding(topic, Level.NOTE, found, remedy);
  }

  static Finding broken(String topic, String found, String remedy) {
    return new Finding(topic, Level.BROKEN, found, remedy);
  }
}
