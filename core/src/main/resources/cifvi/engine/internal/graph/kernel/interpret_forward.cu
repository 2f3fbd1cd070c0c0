// Launches that go forward alone.
extern "C" __global__ void __maxnreg__(REGISTERS) interpret_forward(WALK_PARAMETERS) { walk<true, false>(WALK_ARGUMENTS); }
