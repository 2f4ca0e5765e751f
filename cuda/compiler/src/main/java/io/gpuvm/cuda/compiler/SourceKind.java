package io.gpuvm.cuda.compiler;

import java.util.Arrays;
import java.util.List;

/// Kind of an input file, by the end of its name.
enum SourceKind {
    CUDA("cu"),
    C("c"),
    CPP("cpp", "cc", "cxx", "c++", "C"),
    PTX("ptx"),
    OBJECT("o", "obj"),
    ARCHIVE("a"),
    SHARED_LIBRARY("so");

    private final List<String> suffixes;

    SourceKind(String... suffixes) {
        this.suffixes = List.of(suffixes);
    }

    /// Returns the kind of a file.
    ///
    /// @param language value of `-x`, or an empty text
    /// @throws CcException if the name or the language is unknown
    static SourceKind of(String file, String language) {
        SourceKind byName = byName(file);
        if (language.isEmpty() || byName != null && !byName.isLanguage()) {
            if (byName == null) {
                throw CcException.usage(
                        "%s: unknown kind of file, expected .cu, .c, .cpp, .cc, .cxx, .ptx, .o, .a or .so"
                                .formatted(file));
            }
            return byName;
        }
        return switch (language) {
            case "cu" -> CUDA;
            case "c" -> C;
            case "c++" -> CPP;
            default ->
                    throw CcException.usage(
                            "-x %s, expected one of cu, c, c++".formatted(language));
        };
    }

    private static SourceKind byName(String file) {
        String name = file.replaceFirst("\\.so(\\.\\d+)+$", ".so");
        String suffix = name.substring(name.lastIndexOf('.') + 1);
        return Arrays.stream(values())
                .filter(kind -> kind.suffixes.contains(suffix))
                .findFirst()
                .orElse(null);
    }

    /// Returns whether the host's compiler compiles files of this kind.
    boolean isLanguage() {
        return this == CUDA || this == C || this == CPP;
    }

    /// Returns whether the host's linker links files of this kind.
    boolean isLinked() {
        return this == OBJECT || this == ARCHIVE || this == SHARED_LIBRARY;
    }
}
