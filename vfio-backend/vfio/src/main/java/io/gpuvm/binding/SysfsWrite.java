package io.gpuvm.binding;

import java.nio.file.Path;

/// One value to write to a file of sysfs.
///
/// @param value text without the newline that follows
record SysfsWrite(Path file, String value) {
    /// Returns the shell command for this write.
    @Override
    public String toString() {
        return value.isEmpty() ? "echo > " + file : "echo %s > %s".formatted(value, file);
    }
}
