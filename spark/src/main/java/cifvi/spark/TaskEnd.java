package cifvi.spark;

import java.io.Serializable;

/**
 * How a task ended.
 *
 * @param exitCode of its process
 * @param text what it computed or, where the exit code is not 0, what went wrong if that is not in
 *     the log
 */
record TaskEnd(int exitCode, String text) implements Serializable {}
