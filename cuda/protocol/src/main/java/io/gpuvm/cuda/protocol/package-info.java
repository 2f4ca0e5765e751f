/// Calls of the CUDA driver API on the rings of a session, as docs/cuda-protocol.md defines them.
/// Opcodes, calls, decoder, results and statuses are generated from the table in `cuda/api`.
package io.gpuvm.cuda.protocol;
