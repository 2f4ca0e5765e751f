package io.gpuvm.cuda.api.table;

/// Engine of the GPU that a call occupies.
public enum CallEngine {
    /// No engine.
    NONE,
    /// The engine for kernels.
    COMPUTE,
    /// A copy engine.
    COPY;

    /// Returns the word in the table, such as `copy`.
    public String word() {
        return TableWords.of(this);
    }
}
