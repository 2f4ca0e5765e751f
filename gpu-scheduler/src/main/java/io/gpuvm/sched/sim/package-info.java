/// Scheduling in virtual time: the same scheduler and the same policies as in a backend, with
/// virtual machines that are sources of commands.
///
/// Start at [io.gpuvm.sched.sim.Simulator].
package io.gpuvm.sched.sim;
