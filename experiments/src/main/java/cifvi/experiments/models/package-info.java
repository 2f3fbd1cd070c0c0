/**
 * Every model of the paper by name, with the sizes of appendix E as corrected by the released code;
 * beside them the families of section 3.2 and affine couplings on the mixtures.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.models;
