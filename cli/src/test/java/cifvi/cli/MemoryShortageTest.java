package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One line with the remedy in place of a C++ trace. */
class MemoryShortageTest {
  @Test
  void libtorchsWordsAreUnderstood() {
    var e =
        new RuntimeException(
            "[enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate"
                + " memory: you tried to allocate 17179869184 bytes. Error code 12 (Cannot allocate"
                + " memory)\nException raised from alloc_cpu at ...\nframe #0: c10::Error");
    assertThat(MemoryShortage.explain(e).orElseThrow())
        .startsWith("the memory does not suffice (16.0 GiB more were asked for): use a smaller")
        .hasLineCount(1);
    assertThat(MemoryShortage.explain(new RuntimeException("shapes differ"))).isEmpty();
  }

  @Test
  void theJvmsOwnShortageIsToldLikewise() {
    assertThat(MemoryShortage.remedy(new OutOfMemoryError("Java heap space")))
        .contains("(Java heap space)", "--samples", "cifvi resume DIR");
  }
}
