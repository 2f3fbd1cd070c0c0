// Operations without arithmetic worth the name: order of features, numbers added to the log-weight, and the joints to
// what runs elsewhere.

// y_j = a_order[j]; p[0] is the place of the order in the table.
__device__ inline void permuteForward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  const float* a = b.value(op.a);
  Output y = b.output(op.y);
  Quotient row(d);
  EACH(i, b.count * d) {
    int r = row(i);
    y.write(i, a[r * d + b.table[op.p[0] + i - r * d]]);
  }
}

__device__ inline void permuteBackward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  const float* dy = b.gradient(op.y);
  float* da = b.gradient(op.a);
  Quotient row(d);
  EACH(i, b.count * d) {
    int r = row(i);
    contribute(op, 0, da, r * d + b.table[op.p[0] + i - r * d], dy[i]);
  }
}

// Adds p[1] numbers, the same for all rows: log of the diagonal of an LU map, from `prepared`.
__device__ inline void logDetForward(const Block& b, const Op& op) {
  Quotient row(op.p[1]);
  EACH(i, b.count * op.p[1]) {
    int r = row(i);
    b.addTerm(r, i - r * op.p[1], b.prepared[op.p[0] + i - r * op.p[1]]);
  }
}

// Adds the column a, which is log p(x, z) where p[0] is 1.
__device__ inline void termForward(const Block& b, const Op& op) {
  EACH(r, b.count) {
    b.addTerm(r, 0, b.value(op.a)[r]);
    if (op.p[0]) b.logJoint[b.first + r] = b.value(op.a)[r];
  }
}

__device__ inline void termBackward(const Block& b, const Op& op) {
  EACH(r, b.count) {
    contribute(op, 0, b.gradient(op.a), r, b.dLogWeight);
  }
}

// y is on the tape already; its gradient, if it has one, is left there.
__device__ inline void importForward(const Block& b, const Op& op) {
  EACH(i, b.count * b.size(op.y)) {
    b.value(op.y)[i] = b.saved(op.y)[i];
  }
}

__device__ inline void importBackward(const Block& b, const Op& op) {
  if (b.variables[op.y].gradientSaved < 0) {
    return;
  }
  EACH(i, b.count * b.size(op.y)) {
    b.keepGradient(op.y, i, b.gradient(op.y)[i]);
  }
}

// y is the first columns of the observed row, which has p[0] in all.
__device__ inline void dataForward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  const float* rows = b.images + b.first * op.p[0];
  Output y = b.output(op.y);
  Quotient row(d);
  EACH(i, b.count * d) {
    int r = row(i);
    y.write(i, rows[r * op.p[0] + i - r * d]);
  }
}

// What others made of a, which they know as p[0], has left a gradient on the tape.
__device__ inline void exportBackward(const Block& b, const Op& op) {
  const float* g = b.region(b.variables[op.p[0]].gradientSaved, b.size(op.a));
  EACH(i, b.count * b.size(op.a)) {
    contribute(op, 0, b.gradient(op.a), i, g[i]);
  }
}
