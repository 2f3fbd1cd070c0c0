package cifvi.engine.internal.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.engine.internal.graph.HostLauncher;
import cifvi.engine.internal.graph.OwnProcess;
import cifvi.tensor.internal.UserCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What reaches the native libraries, told by a stub with their names and signatures: arguments,
 * streams by value, and that no exception of C++ is provoked where a capture goes wrong.
 */
class BindingsTest {
  private static final String LOADED = "cuModuleLoadData CUBIN";

  private static final String LAUNCH =
      "cuLaunchKernel 66 grid %s,1,1 block %s,1,1 shared %s stream %s: %s";

  @Test
  void everyCallArrivesAsMeant(@TempDir Path folder) throws IOException, InterruptedException {
    assumeTrue(HostLauncher.available(), "no g++ on the path");
    stub(folder);
    String first = LAUNCH.formatted(3, 256, 100_000, 0, "1099511627776 7 1.5 2.5");
    String beside = LAUNCH.formatted(1, 2, 0, 3400, "3 4 5 6");
    String recorded = LAUNCH.formatted(1, 2, 0, 3300, "3 4 5 6");
    String compiled = "nvrtcCompileProgram 2 --gpu-architecture=sm_90";
    List<String> said = child(folder);
    assertThat(said).containsOnlyOnce(compiled).containsSubsequence(compiled, LOADED);
    assertThat(said)
        .filteredOn(line -> !line.equals(compiled)) // in the background
        .containsExactly(
            "cuCtxSetCurrent 99",
            "cuEventCreate 2",
            "cuEventCreate 2",
            "DeviceLimits[multiprocessors=16, blockShared=97, multiprocessorShared=81, reserved=111,"
                + " matrixUnits=true]",
            LOADED,
            "cuFuncSetAttribute 8 100000",
            first,
            first,
            "refused: kernel: missing is in none of the sources",
            "getStreamFromPool 1 -1",
            "setCurrentCUDAStream device 1.2 id 33",
            recorded,
            "CUDAGraph keep 1",
            "capture_begin pool 0,0 mode 1",
            recorded,
            "capture_end",
            "cuGraphInstantiateWithFlags 7000 8",
            "setCurrentCUDAStream device 1.2 id 0",
            "kernels 3",
            "cuGraphLaunch 88 0",
            "cuGraphExecDestroy 88",
            "~CUDAGraph",
            "setCurrentCUDAStream device 1.2 id 33",
            "CUDAGraph keep 1",
            "capture_begin pool 0,0 mode 1",
            "cuStreamEndCapture 3300",
            "setCurrentCUDAStream device 1.2 id 0",
            "broken: the recording was broken off by one of its operations",
            "setCurrentCUDAStream device 1.2 id 33",
            "CUDAGraph keep 1",
            "capture_begin pool 0,0 mode 1",
            "cuStreamEndCapture 3300",
            "cuGraphDestroy 77",
            "setCurrentCUDAStream device 1.2 id 0",
            "failed: the step's own",
            "getStreamFromPool 0 -1",
            "cuEventRecord 440 0",
            "cuStreamWaitEvent 3400 440 0",
            "setCurrentCUDAStream device 1.2 id 34",
            beside,
            "setCurrentCUDAStream device 1.2 id 0",
            "cuEventRecord 441 3400",
            "cuStreamWaitEvent 0 441 0",
            "stream 0");
  }

  private static void stub(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve("stub.cpp");
    try (var in = BindingsTest.class.getResourceAsStream("stub.cpp")) {
      Files.copy(Objects.requireNonNull(in), source);
    }
    Path library = folder.resolve("libcuda.so.1");
    OwnProcess.output(
        new ProcessBuilder(
            "g++", "-std=c++20", "-shared", "-fPIC", "-o", library.toString(), source.toString()));
    for (String name : List.of("libnvrtc.so.13", "libc10_cuda.so", "libtorch_cuda.so")) {
      Files.createSymbolicLink(folder.resolve(name), library);
    }
  }

  private static List<String> child(Path folder) throws IOException, InterruptedException {
    var builder =
        OwnProcess.of(
            BindingsMain.class,
            "-Dcifvi.nvrtc=" + folder.resolve("libnvrtc.so.13"),
            "-Dorg.bytedeco.javacpp.cachedir=" + UserCache.folder("natives"));
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    return OwnProcess.output(builder).lines().toList();
  }
}
