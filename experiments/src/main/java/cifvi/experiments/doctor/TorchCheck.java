package cifvi.experiments.doctor;

import cifvi.engine.Engines;
import cifvi.experiments.models.MogModel;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.CudaDevice;
import cifvi.tensor.CudaProbe;
import cifvi.tensor.DeviceException;
import cifvi.tensor.NativeCache;
import cifvi.tensor.Precision;
import cifvi.tensor.Torch;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** libtorch, the GPUs, and which engine computes where. */
final class TorchCheck {
  private static final String CUDA = "cuda";

  private final List<Finding> findings = new ArrayList<>();

  List<Finding> findings() {
    boolean usable = libtorch();
    if (usable) {
      engine("cpu");
    }
    List<CudaDevice> devices = driver();
    devices.forEach(this::device);
    if (!devices.isEmpty()) {
      compiler();
    }
    if (usable) {
      cuda(!devices.isEmpty());
    }
    return findings;
  }

  private boolean libtorch() {
    try {
      NativeCache.folder();
    } catch (DeviceException _) {
      findings.add(Finding.broken("libtorch", "has no place to be opened from", "see natives"));
      return false;
    }
    try {
      Torch.load();
      findings.add(
          Finding.ok(
              "libtorch",
              Torch.version() + ", build for " + (Torch.gpuBuild() ? "GPUs" : "the CPU")));
      return true;
    } catch (DeviceException | IOException | LinkageError e) {
      String[] parts =
          String.valueOf(e.getMessage()).lines().findFirst().orElse("").split(" is missing: ", 2);
      findings.add(
          parts.length == 2
              ? Finding.broken("libtorch", parts[0] + " is missing", parts[1])
              : Finding.broken(
                  "libtorch", parts[0], "remove the folder of natives and start again"));
      return false;
    }
  }

  private List<CudaDevice> driver() {
    Optional<String> version = CudaProbe.version();
    version.ifPresent(driver -> findings.add(Finding.ok("driver", driver)));
    List<CudaDevice> devices = CudaProbe.devices();
    if (version.isPresent() && devices.isEmpty()) {
      findings.add(
          Finding.note(
              CUDA, "the driver shows no device", "look at nvidia-smi and CUDA_VISIBLE_DEVICES"));
    }
    return devices;
  }

  private void device(CudaDevice device) {
    String memory =
        device.freeBytes().isPresent()
            ? Doctor.size(device.freeBytes().getAsLong()) + " free of "
            : "";
    findings.add(
        Finding.ok(
            "cuda:" + device.index(),
            "%s, compute capability %s, %s%s"
                .formatted(
                    device.name(), device.capability(), memory, Doctor.size(device.totalBytes()))));
  }

  private void compiler() {
    findings.add(
        CudaProbe.compilerVersion()
            .map(version -> Finding.ok("nvrtc", version + ", compiles the kernels"))
            .orElseGet(
                () ->
                    Finding.note(
                        "nvrtc",
                        "libnvrtc.so.13 is missing: no hand-written kernels",
                        "install CUDA 13 (or pip install nvidia-cuda-nvrtc) and name its folder in"
                            + " CIFVI_CUDA_PATH")));
  }

  /** What is in the way of the GPU; nothing is amiss on a machine that has none. */
  private void cuda(boolean devices) {
    Optional<String> obstacle = Torch.cudaObstacle();
    if (obstacle.isEmpty()) {
      engine(CUDA);
      return;
    }
    String[] parts = obstacle.get().split(": ", 2);
    findings.add(
        devices
            ? Finding.note(CUDA, "not used: " + parts[0], parts.length == 2 ? parts[1] : "")
            : Finding.ok(CUDA, "no GPU: everything runs on the CPU"));
  }

  /** What {@code --engine auto} takes. */
  private void engine(String device) {
    String topic = "engine on " + device;
    try (Model model =
        MogModel.paper(true, Placement.PAPER).build(Backend.of(device, Precision.FLOAT32), 1)) {
      var choice = Engines.choose("auto", model, new Objective.Elbo());
      findings.add(Finding.ok(topic, choice.toString()));
    } catch (RuntimeException e) {
      String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      findings.add(
          device.equals("cpu")
              ? Finding.broken(topic, what, "remove the folder of natives and start again")
              : Finding.note(topic, what, "use --device cpu"));
    }
  }
}
