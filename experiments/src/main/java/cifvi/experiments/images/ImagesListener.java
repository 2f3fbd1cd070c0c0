package cifvi.experiments.images;

import cifvi.experiments.run.RunListener;

/** Follows an image run. */
public interface ImagesListener extends RunListener {
  ImagesListener SILENT = new ImagesListener() {};

  /** After the validation of an epoch, the early-stopping state being that after it. */
  default void epoch(EpochRow row) {}
}
