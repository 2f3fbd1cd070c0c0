// Launches that go back alone.
extern "C" __global__ void __maxnreg__(REGISTERS) interpret_backward(WALK_PARAMETERS) { walk<false, true>(WALK_ARGUMENTS); }
