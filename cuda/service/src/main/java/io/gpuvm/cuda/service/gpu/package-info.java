/// Transports of contexts to the GPU of a session, without a channel of commands: the contexts
/// belong to the process that also owns the GPU.
package io.gpuvm.cuda.service.gpu;
