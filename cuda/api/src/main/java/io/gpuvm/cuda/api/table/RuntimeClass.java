package io.gpuvm.cuda.api.table;

/// Work of a stub of the CUDA runtime API before the part by hand.
public enum RuntimeClass {
    /// None.
    LOCAL,
    /// The stub opens the driver library.
    DRIVER,
    /// The stub also makes a context current in the calling thread.
    CONTEXT,
    /// There is no stub: the library defines the exported function itself.
    EXACT;

    /// Returns the word in the table.
    public String word() {
        return TableWords.of(this);
    }
}
