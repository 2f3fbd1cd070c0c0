package cifvi.experiments.figures;

/**
 * What a model makes of one image.
 *
 * @param label its class
 * @param input as the model sees it, binary
 * @param mean of x given a posterior draw of z
 */
public record Reconstruction(int label, GreyImage input, GreyImage mean) {}
