package io.gpuvm.guests.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Trace that `libcuda.so.1` writes if `GPUVM_CUDA_TRACE` names a file: one line per call, which
/// contains the name of the function.
final class CallTrace {
    /// Environment variable with the path of the file.
    static final String VARIABLE = "GPUVM_CUDA_TRACE";

    private static final Pattern FUNCTION = Pattern.compile("\\bcu[A-Z]\\w*");

    private CallTrace() {}

    /// Returns the names of the called functions; empty if the file does not exist, because the
    /// program has called none.
    static SortedSet<String> distinctCalls(Path file) {
        SortedSet<String> names = new TreeSet<>();
        if (!Files.exists(file)) {
            return names;
        }
        // A process that was killed may leave an incomplete character.
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            lines.forEach(line -> {
                Matcher function = FUNCTION.matcher(line);
                if (function.find()) {
                    names.add(function.group());
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }
}
