/// Virtual command queues of the virtual machines that share a GPU, and who runs next.
///
/// Knows neither GPU nor clock: it is handed commands that can be fired and that complete, and the
/// time.
package io.gpuvm.sched;
