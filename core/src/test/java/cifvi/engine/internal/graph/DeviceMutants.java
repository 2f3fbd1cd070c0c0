package cifvi.engine.internal.graph;

import cifvi.engine.internal.graph.kernel.KernelSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Sources with one line of each kernel and operation made wrong by one part in 10⁵, all in one
 * text: {@code choose_mutant} says which is wrong, none at first.
 */
final class DeviceMutants {
  static final String CHOOSE = "choose_mutant";
  private static final String WRONG = "@";
  private static final String PRELUDE =
      """
      static int mutant = -1;
      extern "C" __global__ void choose_mutant(int number) { mutant = number; }
      static float wrong(int number) { return number == mutant ? 1.00001f : 1.0f; }
      """;

  /**
   * A line that is wrong.
   *
   * @param name the kernel, or the operation and its direction
   * @param wrong the line with an @ where the factor goes
   */
  record Line(String name, String file, String wrong) {
    String sound() {
      return wrong.replace(" * " + WRONG, "");
    }
  }

  static final List<Line> LINES =
      List.of(
          line("LINEAR forward", "linear", "y.write(i, residual ? f + residual[i] : f * @);"),
          line("LINEAR backward", "linear", "seen > 0 ? sum * @ : 0.0f); });"),
          line("LINEAR backward, for weights", "linear", "dpre[i] = dy[i] * @;"),
          line("DRAW forward", "normal", "y.write(i, u * @);"),
          line("DRAW forward, log q", "normal", "float logQ = logNormal(u, mean, logStd) * @;"),
          line("DRAW backward", "normal", "contribute(op, 0, da, mean, du[i] * @);"),
          line(
              "DRAW backward, scale",
              "normal",
              "expf(a[mean + n]) * noise[i] * @ + b.dLogWeight);"),
          line(
              "AUXILIARY forward", "normal", "logNormal(u[i], a[mean], a[mean + n]) * @ - logQ[i]"),
          line("AUXILIARY backward", "normal", "float g = b.dLogWeight * e * perStd * @;"),
          line("AUXILIARY backward, scale", "normal", "b.dLogWeight * (e * e - 1.0f) * @);"),
          line("ROW forward", "normal", "y.write(i, j < n ? mean[j] : logStd[j - n] * @);"),
          line("ROW backward", "normal", "b.keepGradient(op.y, i, dy[i] * @);"),
          line("AFFINE forward", "affine", "y.write(i, (w[i] + ts[t]) * expf(s) * @);"),
          line("AFFINE forward, log|det|", "affine", "b.addTerm(r, i - r * n, s * @);"),
          line("AFFINE backward", "affine", "float inner = dy[i] * expf(ts[t + n]) * @;"),
          line("AFFINE backward, s", "affine", "dts, t + n, dy[i] * y[i] * @ + b.dLogWeight);"),
          line("MASKED_AFFINE forward", "affine", "(w[i] - made[mu]) * expf(-alpha) * @);"),
          line("MASKED_AFFINE forward, log|det|", "affine", "b.addTerm(r, i - r * n, -alpha * @);"),
          line(
              "MASKED_AFFINE backward", "affine", "float inner = dy[i] * expf(-made[mu + n]) * @;"),
          line("MASKED_AFFINE backward, alpha", "affine", "-dy[i] * y[i] * @ - b.dLogWeight);"),
          line("SPLINE forward", "spline", "y = fmaf(bin.y.size, at.n, bin.y.start) * @;"),
          line("SPLINE forward, log|det|", "spline", "logf(ratio * ratio * at.p) * @);"),
          line("SPLINE backward", "spline", "contribute(op, 0, dx, i, gx * @);"),
          line(
              "SPLINE backward, sizes",
              "spline",
              "shares[i] *= (i < k ? ifBefore : i == k ? ifOwn : ifAfter) * @;"),
          line(
              "SPLINE backward, slopes",
              "spline",
              "i == bin.k ? gd1 * bin.d1.slope * @ : i == bin.k - 1 ? gd0 * bin.d0.slope * @ :"),
          line(
              "PERMUTE forward",
              "boundary",
              "y.write(i, a[r * d + b.table[op.p[0] + i - r * d]] * @);"),
          line("PERMUTE backward", "boundary", "r * d + b.table[op.p[0] + i - r * d], dy[i] * @);"),
          line("LOG_DET forward", "boundary", "b.prepared[op.p[0] + i - r * op.p[1]] * @);"),
          line("MIXTURE forward", "mixture", "whitened.write(i, e * @);"),
          line(
              "MIXTURE forward, log p",
              "mixture",
              "float logP = expSum(exponents.value + r * n, n).log() * @;"),
          line("MIXTURE backward", "mixture", "contribute(op, 0, dz, i, sum * @);"),
          line("TERM forward", "boundary", "b.addTerm(r, 0, b.value(op.a)[r] * @);"),
          line(
              "TERM backward",
              "boundary",
              "contribute(op, 0, b.gradient(op.a), r, b.dLogWeight * @);"),
          line("IMPORT forward", "boundary", "b.value(op.y)[i] = b.saved(op.y)[i] * @;"),
          line("IMPORT backward", "boundary", "b.keepGradient(op.y, i, b.gradient(op.y)[i] * @);"),
          line("EXPORT backward", "boundary", "contribute(op, 0, b.gradient(op.a), i, g[i] * @);"),
          line("DATA forward", "boundary", "y.write(i, rows[r * op.p[0] + i - r * d] * @);"),
          line(
              "OBSERVE forward",
              "image",
              "images[i / FRAMED * IMAGE_SIDE * IMAGE_SIDE + at] * @);"),
          line("UPSAMPLE forward", "image", "image.write(i, upsampled * @);"),
          line("UPSAMPLE backward", "image", "contribute(op, 0, da, i, sum * @);"),
          line("CONVOLUTION forward", "convolution", "tanhf(sum + bias[i / POSITIONS]) * @);"),
          line("CONVOLUTION backward", "convolution", "contribute(op, 0, da, i, sum * @);"),
          line(
              "CONVOLUTION backward, for weights",
              "convolution",
              "dy[i] *= 1.0f * @ - value[j] * value[j];"),
          line(
              "BATCH_NORM forward",
              "batchnorm",
              "* norm.perStd(j) * expf(a) * @ + norm.shift[j]);"),
          line(
              "BATCH_NORM forward, log|det|",
              "batchnorm",
              "a - 0.5f * logf(norm.variance[j] + NORM_EPSILON) * @);"),
          line(
              "BATCH_NORM backward",
              "batchnorm",
              "(expf(norm.logScale[j]) * dz[i] - shared) * perStd * @);"),
          line("SINH_ARCSINH forward", "sinharcsinh", "y.write(i, z * @);"),
          line(
              "SINH_ARCSINH forward, log|det|",
              "sinharcsinh",
              "0.5f * (log1pf(z * z) - log1pf(w[i] * w[i])) * @);"),
          line(
              "SINH_ARCSINH backward",
              "sinharcsinh",
              "dt * tail / sqrtf(square) * @ - b.dLogWeight * w[i] / square);"),
          line("SINH_ARCSINH backward, skew", "sinharcsinh", "= -dt * @;"),
          line(
              "SINH_ARCSINH backward, tail",
              "sinharcsinh",
              "dt * tail * asinhf(w[i]) * @ + b.dLogWeight;"),
          line("TRANSPOSED forward", "decoder", "y.write(r * FRAMED + i, sum * @ + bias); });"),
          line("TRANSPOSED backward", "decoder", "{ da[r * size + i] = sum * @; });"),
          line("TRANSPOSED backward, bias", "decoder", "gradient[taps] = sum * @;"),
          line("BERNOULLI forward", "decoder", "b.terms[r * b.width] += sum * @;"),
          line(
              "BERNOULLI backward",
              "decoder",
              "b.dLogWeight * (x - 1.0f / (1.0f + expf(-logits[i]))) * @);"),
          line(
              "BERNOULLI backward, z",
              "decoder",
              "contribute(op, 1, dz, i, -b.dLogWeight * z[i] * @);"),
          line("kernel gradients of an image", "taps", "ky * KERNEL + kx] = sum[c][kx] * @;"),
          line("prepare", "prepare", "lower[e] = l * @;"),
          line(
              "prepare, transposed",
              "prepare",
              "shared[e % TILE_SIDE * (TILE_SIDE + 1) + e / TILE_SIDE] * @;"),
          line("importance_weights", "importance", "(exp(own[k] - largest) / sum * @));"),
          line(
              "importance_weights, bound", "importance", "*objective = bounds / observations * @;"),
          line("weight_gradients", "weights", "before[k] + sum[k] * seen[k] * @;"),
          line("weight_gradients, mean", "weights", "*objective = sum / rows * @;"),
          line("add_weight_parts", "weights", "partial[part * total + t.place + e] = sum * @;"),
          line(
              "convolution_gradients",
              "convolution_weights",
              "fmaf(part[i], inverse * @, sums[tap]"),
          line(
              "convolution_gradients, bias",
              "convolution_weights",
              "biasSums[own] = static_cast<float>(total) * @;"),
          line("add_convolution_parts", "convolution_parts", "* taps + inRow] += weights[e] * @;"),
          line("prepare_convolutions", "prepare_convolutions", "= from[job.tap(t)] * @;"),
          line(
              "prepare_image_convolutions",
              "prepare_convolutions",
              "split(WEIGHT_SCALE * from[tap] * @,"),
          line("convolve_planes", "windows", "a.set(i / 2 * A_NUMBERS + i % 2, at[0] * @);"),
          line("convolve_planes, weights", "windows", "b.set(4 * pair + 2, four.z * @);"),
          line(
              "convolve_planes, output",
              "decoder_convolution",
              "value += sums[i * apart + s * slice] * @;"),
          line("convolve_planes, other", "decoder_convolution", "* area] = value * @;"),
          line("decode_images", "image_planes", ": of[i][k]) * scale * @;"),
          line(
              "decode_images, slices",
              "image_convolution",
              "total.of[i][k] += from[k * G::PITCH] * @;"),
          line(
              "decode_images, bias",
              "image_convolution",
              "memory.bias[n] = bias * @ + secondBias;"),
          line("decode_images, residual", "image_convolution", "bias[k] + kept.of[i][k] * @ :"),
          line("decode_images_back", "image_convolution", "other.of[i / 8][i % 8] *= inverse * @;"),
          line("bernoulli_images", "decoder_ends", "static_cast<float>(sum) * @;"),
          line("bernoulli_images, logits", "decoder_ends", "logits[row * AREA + i] = l * @;"),
          line("bernoulli_gradients", "decoder_ends", "dLogits[at] = dl * @;"),
          line("bernoulli_gradients, planes", "decoder_ends", "> 0 ? w[c] * dl * @ : 0.0f;"),
          line(
              "bernoulli_gradients, prior", "decoder_ends", "-d[row] * z[row * features + j] * @;"),
          line("batch statistics", "batchnorm", "shared[j] = static_cast<float>(mean) * @;"),
          line(
              "batch statistics, variance",
              "batchnorm",
              "shared[d + j] = static_cast<float>(variance) * @;"),
          line(
              "batch gradients",
              "batchnorm",
              "shared[2 * d + j] = static_cast<float>(dShift) * @;"),
          line(
              "batch gradients, scale",
              "batchnorm",
              "gradient[n.logScale + j] += static_cast<float>(dLogScale) * @;"),
          line("take_averages", "batchnorm", "n.latest[n.d + j] = n.variance[j] * @;"));

  private DeviceMutants() {}

  private static Line line(String name, String file, String wrong) {
    return new Line(name, file, wrong);
  }

  /** All of them; fails where a line is not, or not only once, in its file. */
  static String source() {
    List<String> files = new ArrayList<>(List.of(KernelSource.pass().split("(?=#line 1 )")));
    for (int i = 0; i < LINES.size(); i++) {
      Line line = LINES.get(i);
      int number = i;
      files.replaceAll(
          text ->
              text.matches("(?s)#line 1 \"" + line.file + "\\..*")
                  ? spoil(text, line, number)
                  : text);
    }
    return PRELUDE + String.join("", files);
  }

  private static String spoil(String text, Line line, int number) {
    String sound = line.sound();
    int at = text.indexOf(sound);
    if (at < 0 || text.indexOf(sound, at + 1) >= 0) {
      throw new IllegalStateException(line + ": expected once in its file");
    }
    return text.replace(sound, line.wrong.replace(WRONG, "wrong(" + number + ")"));
  }
}
