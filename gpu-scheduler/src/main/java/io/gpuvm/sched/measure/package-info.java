/// Fairness of a shared GPU: pure functions over the commands that ran.
///
/// Start at [io.gpuvm.sched.measure.Fairness].
package io.gpuvm.sched.measure;
