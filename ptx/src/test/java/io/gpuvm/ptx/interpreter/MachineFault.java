package io.gpuvm.ptx.interpreter;

/// Error of an interpreted program.
public final class MachineFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MachineFault(String message) {
        super(message);
    }
}
