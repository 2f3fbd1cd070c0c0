/**
 * Every family on every posterior whose answer is known, beside NUTS and ADVI where R has rstan:
 * one {@link cifvi.experiments.scoreboard.Score} a fit.
 */
package cifvi.experiments.scoreboard;
