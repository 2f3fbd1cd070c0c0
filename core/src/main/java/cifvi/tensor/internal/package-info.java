/** Folders of the user that nobody else may write to, and the functions of C libraries. */
@NullMarked
package cifvi.tensor.internal;

import org.jspecify.annotations.NullMarked;
