package io.gpuvm.cuda.compiler;

import java.nio.file.Path;

/// Names of files that the compiler driver makes.
final class Names {
    private Names() {}

    /// Returns a file's name without its folder and its suffix.
    static String stem(Path file) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot <= 0 ? name : name.substring(0, dot);
    }

    /// Returns a file's path with another suffix.
    ///
    /// @param end suffix with its dot
    static String withEnd(Path file, String end) {
        return file.resolveSibling(stem(file) + end).toString();
    }
}
