/**
 * Variational inference proper: what is maximised ({@link cifvi.vi.Objective}), how a model is
 * trained ({@link cifvi.vi.Trainer}) and how good the result is (the estimators of appendices E.4
 * and F).
 */
@org.jspecify.annotations.NullMarked
package cifvi.vi;
