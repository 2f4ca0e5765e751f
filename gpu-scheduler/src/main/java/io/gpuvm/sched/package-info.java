/// Virtual command queues of the virtual machines that share a GPU, and selection of the next one.
///
/// Independent of GPU and clock: callers pass commands that can be submitted and that complete, and
/// the time.
package io.gpuvm.sched;
