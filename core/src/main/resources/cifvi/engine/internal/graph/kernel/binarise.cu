// Grey images to zeros and ones: pixel i of an image is 1 with probability value / 255, decided by word i mod 4 of
// Philox block i div 4 of the image; images begin with a block each. No rounding: the very draws of the processor.
//
// Images rows[from] to rows[from + count - 1] of `size` pixels each; the address is that of CounterRng.
extern "C" __global__ void binarise(real* out, const unsigned char* pixels, const long long* rows, long long from,
                                    int count, int size, long long seed, long long round, int address) {
  int fours = (size + 3) / 4;
  long long blocks = (long long) count * fours;
  long long stride = (long long) gridDim.x * blockDim.x;
  for (long long b = (long long) blockIdx.x * blockDim.x + threadIdx.x; b < blocks; b += stride) {
    long long image = b / fours;
    int first = 4 * (int) (b % fours);
    long long row = rows[from + image];
    long long block = row * fours + first / 4;
    unsigned int words[4] = {(unsigned int) block, (unsigned int) (block >> 32), (unsigned int) round,
                             (unsigned int) address};
    philox((unsigned long long) seed, words);
    for (int i = 0; i < 4 && first + i < size; i++) {
      unsigned long long value = pixels[row * size + first + i];
      unsigned long long limit = ((value << 32) + 254) / 255;
      out[image * size + first + i] = words[i] < limit ? 1 : 0;
    }
  }
}
