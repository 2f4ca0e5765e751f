package io.gpuvm.pv.module;

/// Thrown when a module cannot be loaded: the file is well-formed, but requires an unavailable
/// resource or symbol. The message names the value, and the limit or the expected values.
public final class ModuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ModuleException(String message) {
        super(message);
    }

    static ModuleException at(String where, String name, long value, long limit) {
        return new ModuleException(where + ": " + name + "=" + value + ", limit=" + limit);
    }

    static ModuleException at(String where, String name, long value, String expected) {
        return new ModuleException(where + ": " + name + "=" + value + ", expected " + expected);
    }
}
