package cifvi.experiments.data;

/** Follows the fetching of files; asked now and then whether to go on. */
public interface FetchListener {
  /** Something worth a line: a file that is there already, a mirror that does not answer. */
  void note(String line);

  /** How many bytes of a file have come; return false to stop and keep them. */
  boolean fetching(String file, long done, long of);
}
