# NUTS and ADVI of rstan on one model. Arguments: the model, its data as R source, gradients to spend, the seed, the file to write.
suppressPackageStartupMessages(library(rstan))
if (dir.exists("/usr/include/boost")) rstan_options(boost_lib = "/usr/include")
arguments <- commandArgs(trailingOnly = TRUE)
data <- source(arguments[2])$value
spend <- as.numeric(arguments[3])
seed <- as.integer(arguments[4])
model <- stan_model(arguments[1])
found <- NULL

# Stan's own names: theta.1 for theta[1].
dotted <- function(name) gsub(",", ".", gsub("]", "", gsub("[", ".", name, fixed = TRUE), fixed = TRUE), fixed = TRUE)

keep <- function(method, fit, seconds, gradients) {
  table <- summary(fit)$summary
  table <- table[rownames(table) != "lp__", , drop = FALSE]
  found <<- rbind(found, data.frame(method = method, parameter = dotted(rownames(table)), mean = table[, "mean"],
                                    sd = table[, "sd"], seconds = seconds, gradients = gradients))
}

# What a method cannot do is left out, and said in the log.
try_it <- function(method, run) tryCatch(run(), error = function(e) message(method, ": ", conditionMessage(e)))

nuts <- function(method, iterations) try_it(method, function() {
  seconds <- system.time(fit <- sampling(model, data, iter = iterations, seed = seed, refresh = 0, cores = 1))[["elapsed"]]
  gradients <- sum(sapply(get_sampler_params(fit, inc_warmup = TRUE), function(p) sum(p[, "n_leapfrog__"])))
  keep(method, fit, seconds, gradients)
  gradients
})

# ADVI says how many steps it took only in what it prints; each takes one gradient, those of the search for its rate (50 for
# each of at most five rates) not counted.
advi <- function(method, algorithm, ...) try_it(method, function() {
  seconds <- system.time(lines <- capture.output(
    fit <- vb(model, data, algorithm = algorithm, seed = seed, output_samples = 4000, ...)))[["elapsed"]]
  steps <- regmatches(lines, regexpr("^Chain 1: +[0-9]+ +-", lines))
  keep(method, fit, seconds, max(0, as.numeric(gsub("[^0-9]", "", sub("^Chain 1:", "", steps)))))
})

spent <- nuts("NUTS, defaults", 2000)
if (is.numeric(spent)) nuts("NUTS, equal gradients", max(100, round(2000 * spend / spent)))
advi("ADVI mean-field, defaults", "meanfield")
advi("ADVI full-rank, defaults", "fullrank")
advi("ADVI mean-field, equal gradients", "meanfield", iter = spend, tol_rel_obj = 1e-12)
advi("ADVI full-rank, equal gradients", "fullrank", iter = spend, tol_rel_obj = 1e-12)
write.csv(found, arguments[5], row.names = FALSE)
