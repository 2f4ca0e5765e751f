/// Scheduling in virtual time: the scheduler and policies of a backend, with virtual machines that
/// are sources of commands.
///
/// The entry point is [io.gpuvm.sched.sim.Simulator].
package io.gpuvm.sched.sim;
