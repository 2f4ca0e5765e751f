package io.gpuvm.cuda.service;

/// Maximum numbers of a session's objects. Handles contain indices up to these numbers.
///
/// @param contexts contexts, including destroyed contexts whose work is incomplete
/// @param modules modules of all contexts
/// @param streams streams of all contexts
/// @param events events of all contexts
/// @param textures texture references of all contexts
/// @param operations pending operations from which [CudaExecutor#isAccepting()] is false: those for
///   which the GPU's queues have no room
/// @param stalledOperations pending operations, including those behind host functions, from which
///   calls fail
public record ExecutorLimits(
        int contexts,
        int modules,
        int streams,
        int events,
        int textures,
        int operations,
        int stalledOperations) {
    /// Limits for programs; as in CUDA, about 1024 launches can be pending.
    public static final ExecutorLimits DEFAULT =
            new ExecutorLimits(16, 4096, 4096, 65536, 1024, 1024, 8192);
}
