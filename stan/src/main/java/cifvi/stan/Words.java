package cifvi.stan;

/** Messages of other programs, as far as people read them. */
final class Words {
  private static final int MOST = 500;

  private Words() {}

  /** Without blanks at the ends, and cut where it is long: a message may repeat all the data. */
  static String cut(String message) {
    return cut(message, MOST);
  }

  static String cut(String message, int most) {
    String text = message.strip();
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return "%s … (%,d characters more)".formatted(text.substring(0, end), text.length() - end);
  }
}
