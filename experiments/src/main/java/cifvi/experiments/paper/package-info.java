/**
 * Tables of the paper's image experiments (section 4.2 and appendix E.5) as numbers: the paper's
 * own, and ours from whatever runs a folder holds.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.paper;
