/// Virtual command queues of the virtual machines that share a GPU, and selection of the next
/// virtual machine to run.
///
/// The package is independent of GPU and clock: callers report submissions and completions of
/// commands, and pass the time.
package io.gpuvm.sched;
