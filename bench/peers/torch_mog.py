"""The mixture CIF-NSF training step of paper section 4.1 in plain PyTorch, timed beside `cifvi bench --case mog-cif-nsf`.

Nine modes, placement `paper`: five steps of residual MADE (32 hidden, 2 blocks) with 8-bin splines on [-3, 3], q, (s, t)
and r of 10-10 tanh units, u in R, 1000 draws a step, Adam 1e-3, gradients clipped at 5.
"""

import argparse
import math
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

STEPS, FEATURES, HIDDEN, BINS, BOUND, LEAST, ROWS, CLIP = 5, 2, 32, 8, 3.0, 1e-3, 1000, 5.0


class MaskedLinear(nn.Linear):
    def __init__(self, inputs, outputs, strict=False):
        """Takes the degrees of inputs and outputs; an output sees inputs of at most its degree, or of less."""
        super().__init__(len(inputs), len(outputs))
        seen = outputs[:, None] > inputs if strict else outputs[:, None] >= inputs
        self.register_buffer("mask", seen.float())

    def forward(self, x):
        return F.linear(x, self.weight * self.mask, self.bias)


class Made(nn.Module):
    """3 BINS - 1 numbers a feature: widths, heights, inner derivatives."""

    def __init__(self):
        super().__init__()
        inputs, hidden = torch.arange(1, FEATURES + 1), torch.arange(HIDDEN) % max(1, FEATURES - 1) + 1
        self.first = MaskedLinear(inputs, hidden)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.ReLU(), MaskedLinear(hidden, hidden), nn.ReLU(), MaskedLinear(hidden, hidden))
            for _ in range(2)
        )
        for block in self.blocks:  # starts close to the identity
            nn.init.uniform_(block[3].weight, -1e-3, 1e-3)
            nn.init.uniform_(block[3].bias, -1e-3, 1e-3)
        self.last = MaskedLinear(hidden, inputs.repeat_interleave(3 * BINS - 1), strict=True)

    def forward(self, w):
        h = self.first(w)
        for block in self.blocks:
            h = h + block(h)
        return self.last(h).unflatten(1, (FEATURES, 3 * BINS - 1))


def knots(raw):
    """Ends of the bins on [-BOUND, BOUND], each bin of at least a share LEAST."""
    shares = LEAST + (1 - LEAST * BINS) * raw.softmax(-1)
    inner = 2 * BOUND * shares.cumsum(-1)[..., :-1] - BOUND
    return F.pad(F.pad(inner, (1, 0), value=-BOUND), (0, 1), value=BOUND)


def spline(w, raw):
    """Rational-quadratic spline, the identity outside the box: value and log-determinant."""
    x, y = knots(raw[..., :BINS]), knots(raw[..., BINS : 2 * BINS])
    slopes = F.pad(LEAST + F.softplus(raw[..., 2 * BINS :]), (1, 1), value=1.0)
    inside = w.abs() <= BOUND
    v = w.clamp(-BOUND, BOUND)
    k = (v[..., None] >= x[..., 1:-1]).sum(-1, keepdim=True)

    def at(values, shift=0):
        return values.gather(-1, k + shift).squeeze(-1)

    x0, y0, d0, d1 = at(x), at(y), at(slopes), at(slopes, 1)
    width, height = at(x, 1) - x0, at(y, 1) - y0
    s, t = height / width, (v - x0) / width
    tt = t * (1 - t)
    denominator = s + (d0 + d1 - 2 * s) * tt
    value = y0 + height * (s * t * t + d0 * tt) / denominator
    slope = s * s * (d1 * t * t + 2 * s * tt + d0 * (1 - t) ** 2) / denominator**2
    return torch.where(inside, value, w), torch.where(inside, slope, 1.0).log().sum(1)


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 10), nn.Tanh(), nn.Linear(10, 10), nn.Tanh(), nn.Linear(10, outputs))


def log_normal(x, mean, log_std):
    return (-0.5 * ((x - mean) * torch.exp(-log_std)) ** 2 - log_std - 0.5 * math.log(2 * math.pi)).sum(1)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.g, self.q, self.st, self.r = Made(), mlp(FEATURES, 2), mlp(1, 2 * FEATURES), mlp(FEATURES, 2)

    def forward(self, w):
        """z = e^s(u) (g(w) + t(u)), and log r(u|z) - log q(u|w) + log |det|."""
        mean, log_std = self.q(w).chunk(2, 1)
        u = mean + log_std.exp() * torch.randn_like(mean)
        y, log_det = spline(w, self.g(w))
        s, t = self.st(u).chunk(2, 1)
        z = s.exp() * (y + t)
        return z, log_normal(u, *self.r(z).chunk(2, 1)) - log_normal(u, mean, log_std) + log_det + s.sum(1)


class Loss(nn.Module):
    """The negative ELBO on the lattice {-2, 0, 2}² with standard deviation 1/4."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(STEPS))
        axis = torch.tensor([-2.0, 0.0, 2.0])
        self.register_buffer("means", torch.cartesian_prod(axis, axis))

    def forward(self):
        zero = self.means.new_zeros(())
        z = torch.randn(ROWS, FEATURES, device=self.means.device)
        elbo = -log_normal(z, zero, zero)
        for layer in self.layers:
            z, delta = layer(z)
            elbo = elbo + delta
        modes = log_normal((z[:, None] - self.means).flatten(0, 1), zero, zero + math.log(0.25))
        return -(elbo + modes.unflatten(0, (ROWS, 9)).logsumexp(1) - math.log(9)).mean()


def training(device, compiled=False):
    """A model's step, forward to Adam; gradients and moments stay where they are, so that it can be captured."""
    torch.manual_seed(1)
    model = Loss().to(device)
    parameters = list(model.parameters())
    cuda = device.type == "cuda"
    adam = torch.optim.Adam(parameters, lr=1e-3, capturable=cuda, foreach=True)
    loss = torch.compile(model, mode="reduce-overhead") if compiled else model

    def step():
        if compiled:
            torch.compiler.cudagraph_mark_step_begin()
        adam.zero_grad(set_to_none=not cuda or compiled)
        value = loss()
        value.backward()
        nn.utils.clip_grad_norm_(parameters, CLIP, foreach=True)
        adam.step()
        return value.detach()

    return step


def captured(device):
    """The step as one CUDA graph, after the rehearsals on a side stream that PyTorch asks for."""
    step = training(device)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        value = step()

    def replay():
        graph.replay()
        return value

    return replay


def measure(name, make, device, seconds):
    """Samples of one step, on a GPU of as many at once as take some 20 ms: as `cifvi bench` takes them."""
    cuda = device.type == "cuda"
    wait = torch.cuda.synchronize if cuda else lambda: None
    begin = time.perf_counter()
    step = make()
    value = step()
    wait()
    first = time.perf_counter() - begin
    begin, samples, at_once = time.perf_counter(), [], 1
    while not samples or time.perf_counter() - begin < 1.5 + seconds:
        start = time.perf_counter()
        for _ in range(at_once):
            value = step()
        wait()
        ms = (time.perf_counter() - start) / at_once * 1e3
        if start - begin > 1.5:  # warm
            samples.append(ms)
        elif cuda:
            at_once = max(at_once, min(50, int(20 / ms)))
    median, tenth = statistics.median(samples), sorted(samples)[len(samples) // 10]
    print(f"{name:<28}{median:9.3f} ms/step  p10 {tenth:9.3f}  first {first:6.1f} s  loss {value.item():7.3f}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--seconds", type=float, default=5)
    options.add_argument("--threads", type=int, default=1)
    options = options.parse_args()
    torch.set_num_threads(options.threads)
    device = torch.device(options.device)
    cases = {
        "eager": lambda: training(device),
        "torch.compile": lambda: training(device, compiled=True),
    }
    if device.type == "cuda":
        cases["CUDA graph"] = lambda: captured(device)
    print(f"torch {torch.__version__}, {device}, {options.threads} threads")
    for name, make in cases.items():
        try:
            measure(name, make, device, options.seconds)
        except Exception as e:  # what one way cannot do must not keep the others from being timed
            print(f"{name:<28}failed: {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}", flush=True)


if __name__ == "__main__":
    main()
