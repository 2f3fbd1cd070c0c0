package cifvi.experiments.models;

import cifvi.nn.LargeDecoder;
import cifvi.nn.Network;
import cifvi.nn.Parameters;
import cifvi.nn.SmallDecoder;
import java.util.Locale;

/** The two generative models of paper section 4.2, with the dimension of their latent variable. */
public enum Decoder {
  SMALL(20),
  LARGE(32);

  private static final int SMALL_CHANNELS = 8;
  private static final int LARGE_MULTIPLIER = 16;

  private final int latent;

  Decoder(int latent) {
    this.latent = latent;
  }

  public int latent() {
    return latent;
  }

  Network build(Parameters parameters) {
    return switch (this) {
      case SMALL -> new SmallDecoder(parameters, latent, SMALL_CHANNELS);
      case LARGE -> new LargeDecoder(parameters, latent, LARGE_MULTIPLIER);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
