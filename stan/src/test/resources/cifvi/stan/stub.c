/*
 * A model library with BridgeStan's C interface and without Stan, for tests: z ~ N(0, I) in three dimensions, shown as a
 * vector x of two, tau = exp(z_3), the transformed parameter sum = x_1 + tau and the generated quantities u, uniform, and g.
 *
 * Data are {"mode": N}; what the modes do is said where they do it. Built without -DTHREADS it says STAN_THREADS=false and
 * ends the process as soon as two threads are inside.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MAJOR
#define MAJOR 2
#endif
#ifndef SCALE
#define SCALE 1.0 /* another content, for tests that rebuild it */
#endif

typedef struct { int mode; } bs_model;
typedef struct { unsigned int state; } bs_rng;
typedef void (*callback)(const char*, size_t);

#ifndef NO_VERSION
const int bs_major_version = MAJOR;
const int bs_minor_version = 0;
const int bs_patch_version = 0;
#endif

static callback printer = NULL;
static int inside = 0;

static void enter(void) {
#ifndef THREADS
  if (__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST) != 0) {
    fputs("two threads at once\n", stderr);
    abort();
  }
  for (volatile int i = 0; i < 500; i++) {
  }
#endif
}

static int leave(int code) {
#ifndef THREADS
  __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
#endif
  return code;
}

static int fail(char** error, const char* words) {
  if (error) {
    *error = malloc(strlen(words) + 2);
    strcat(strcpy(*error, words), "\n");
  }
  return leave(-1);
}

static void say(const char* words) {
  if (printer) {
    printer(words, strlen(words));
  } else {
    fputs(words, stdout);
    fflush(stdout);
  }
}

bs_model* bs_model_construct(const char* data, unsigned int seed, char** error) {
  (void)seed;
  enter();
  const char* mode = data ? strstr(data, "\"mode\":") : NULL;
  if (!mode) {
    char* words = malloc(strlen(data ? data : "") + 200); /* Stan's message repeats the data, too */
    sprintf(words, "construct() failed with exception: variable does not exist; variable name=mode; data: %s\n\n",
            data ? data : "");
    fail(error, words);
    free(words);
    return NULL;
  }
  bs_model* m = malloc(sizeof(bs_model));
  m->mode = atoi(mode + strlen("\"mode\":"));
  if (m->mode == 4) { /* fails in transformed data */
    free(m);
    fail(error, "construct() failed with exception: stub: refused in transformed data\n\n");
    return NULL;
  }
  leave(0);
  return m;
}

void bs_model_destruct(bs_model* m) { enter(); free(m); leave(0); }
void bs_free_error_msg(char* error) { free(error); }
const char* bs_name(const bs_model* m) { (void)m; return "stub_model"; }
const char* bs_model_info(const bs_model* m) {
  (void)m;
#ifdef THREADS
  return "Stan C++ Defines:\n\tSTAN_THREADS=true\n";
#else
  return "Stan C++ Defines:\n\tSTAN_THREADS=false\n";
#endif
}
const char* bs_param_names(const bs_model* m, bool tp, bool gq) {
  (void)m;
  if (gq) return tp ? "x.1,x.2,tau,sum,u,g.1.1,g.2.1,g.1.2,g.2.2" : "x.1,x.2,tau,u,g.1.1,g.2.1,g.1.2,g.2.2";
  return tp ? "x.1,x.2,tau,sum" : "x.1,x.2,tau";
}
const char* bs_param_unc_names(const bs_model* m) { (void)m; return "x.1,x.2,tau"; }
int bs_param_num(const bs_model* m, bool tp, bool gq) { (void)m; return 3 + (tp ? 1 : 0) + (gq ? 5 : 0); }
int bs_param_unc_num(const bs_model* m) { return m->mode == 10 ? 0 : 3; }

int bs_param_constrain(const bs_model* m, bool tp, bool gq, const double* z, double* x, bs_rng* rng, char** error) {
  enter();
  if (gq && !rng) return fail(error, "param_constrain() failed with exception: no rng");
  int n = 0;
  x[n++] = z[0];
  x[n++] = z[1];
  x[n++] = exp(z[2]);
  if (tp && m->mode == 11) { /* fails in transformed parameters */
    return fail(error, "param_constrain() failed with exception: stub: refused in transformed parameters");
  }
  if (tp) x[n++] = z[0] + exp(z[2]);
  if (gq) {
    if (m->mode == 5) { /* fails in generated quantities */
      return fail(error, "param_constrain() failed with exception: stub: refused in generated quantities");
    }
    rng->state = rng->state * 1664525u + 1013904223u;
    x[n++] = rng->state / 4294967296.0;
    for (int k = 0; k < 4; k++) x[n++] = k;
  }
  return leave(0);
}

int bs_param_unconstrain(const bs_model* m, const double* x, double* z, char** error) {
  (void)m;
  enter();
  if (!(x[2] > 0)) return fail(error, "param_unconstrain() failed with exception: stub: tau is not positive");
  z[0] = x[0];
  z[1] = x[1];
  z[2] = log(x[2]);
  return leave(0);
}

int bs_log_density_gradient(const bs_model* m, bool propto, bool jacobian, const double* z, double* value, double* gradient,
                            char** error) {
  enter();
  double square = 0;
  for (int i = 0; i < 3; i++) {
    gradient[i] = -z[i] / (SCALE * SCALE);
    square += z[i] * z[i] / (SCALE * SCALE);
  }
  *value = -0.5 * square - 3 * (0.9189385332046727 + log(SCALE));
  if (propto || !jacobian) *value += 1000; /* the wrong flags */
  if (m->mode == 1 && z[0] > 1) return fail(error, "log_density_gradient() failed with exception: stub: x[1] is too large");
  if (m->mode == 2 && z[0] > 1) *value = gradient[0] = NAN;
  if (m->mode == 3) say("stub: evaluated\n"); /* prints at every evaluation */
  if (m->mode == 6 && z[0] > 1) *value = -INFINITY;
  if (m->mode == 7 && z[0] == 0) gradient[0] = NAN; /* at a finite value */
  if (m->mode == 8 && square == 0) return fail(error, "log_density_gradient() failed with exception: stub: a unit vector of 0");
  if (m->mode == 9) return fail(error, "log_density_gradient() failed with exception: stub: never");
  return leave(0);
}

bs_rng* bs_rng_construct(unsigned int seed, char** error) {
  (void)error;
  bs_rng* r = malloc(sizeof(bs_rng));
  r->state = seed;
  return r;
}
void bs_rng_destruct(bs_rng* r) { free(r); }

#ifndef NO_PRINTS
int bs_set_print_callback(callback c, char** error) {
  (void)error;
  printer = c;
  return 0;
}
#endif
