package io.gpuvm.evaluation.data;

/// Host of an evaluation.
///
/// @param processors number of processors
/// @param model model name of the processors
/// @param memoryBytes memory in bytes
/// @param linux release of the host's Linux
/// @param accelerator accelerator of the virtual machines: `tcg` or `kvm`
/// @param pinning processors of guests and backends, in words
public record EvaluationHost(
        int processors,
        String model,
        long memoryBytes,
        String linux,
        String accelerator,
        String pinning) {}
