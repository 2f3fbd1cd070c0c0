/**
 * Every model of the paper by name, with the sizes of appendix E as corrected by the released code.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.models;
