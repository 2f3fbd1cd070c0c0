package cifvi.engine.internal.fused.memory;

/** Which rows of a batch each thread works on: as equal as whole vectors allow, always the same. */
public record Rows(int rows, int parts) {
  /** First row of a part; behind the last part, the number of rows. */
  public int first(int part) {
    int vectors = Lanes.roundUp(rows) / Lanes.COUNT;
    return Math.min(rows, (int) ((long) vectors * part / parts) * Lanes.COUNT);
  }
}
