package cifvi.engine.internal.graph.program;

import cifvi.engine.internal.graph.kernel.DecoderPass;
import cifvi.nn.LargeDecoder;
import cifvi.target.BernoulliImageModel;

/**
 * log p(x, z) of images that the large decoder makes, see {@link DecoderPass}.
 *
 * @param z what it looks at besides x
 * @param out log p(x, z)
 */
public record DecoderSegment(
    BernoulliImageModel target, LargeDecoder decoder, Variable z, Variable out) {}
