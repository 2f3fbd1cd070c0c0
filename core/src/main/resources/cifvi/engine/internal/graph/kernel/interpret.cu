// Launches that go forward and back at once.
extern "C" __global__ void __maxnreg__(REGISTERS) interpret(WALK_PARAMETERS) { walk<true, true>(WALK_ARGUMENTS); }
