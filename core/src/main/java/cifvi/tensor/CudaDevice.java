package cifvi.tensor;

import java.util.OptionalLong;

/**
 * A CUDA device as its driver describes it.
 *
 * @param index n of {@code cuda:n}
 * @param capability for instance {@code 9.0}
 * @param freeBytes memory no process uses; empty where the driver's management library is missing
 */
public record CudaDevice(
    int index, String name, String capability, long totalBytes, OptionalLong freeBytes) {}
