package io.gpuvm.binding;

import java.nio.file.Path;

/// One thing to tell the kernel.
///
/// @param value without the newline that follows
record SysfsWrite(Path file, String value) {
    /// What does it in a shell.
    @Override
    public String toString() {
        return value.isEmpty() ? "echo > " + file : "echo %s > %s".formatted(value, file);
    }
}
