import cifvi.*

var banana = LogDensity.of(2, (z, gradient) -> {
  gradient[1] = z[0] * z[0] - z[1];
  gradient[0] = -z[0] - 2 * z[0] * gradient[1];
  return -0.5 * (z[0] * z[0] + gradient[1] * gradient[1]);
})
var posterior = Cifvi.fitting(banana).steps(500).run()
posterior.report().elbo()
var draws = posterior.draws(1000)
System.out.println("mean of z.2, which is 1: " + draws.mean("z.2"))
System.out.println(posterior.report().engine())
posterior.close()
/exit
