package cifvi.engine.graph;

import cifvi.nn.LargeDecoder;
import cifvi.target.BernoulliImageModel;

/**
 * log p(x, z) of pictures that the large decoder makes, see {@link DecoderPass}.
 *
 * @param z what it looks at besides x
 * @param out log p(x, z)
 */
record DecoderSegment(BernoulliImageModel target, LargeDecoder decoder, Variable z, Variable out) {}
