/// Fairness of a shared GPU: pure functions over the commands that ran.
///
/// The entry point is [io.gpuvm.sched.measure.Fairness].
package io.gpuvm.sched.measure;
