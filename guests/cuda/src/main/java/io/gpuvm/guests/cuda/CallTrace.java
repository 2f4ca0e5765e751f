package io.gpuvm.guests.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Trace that `libcuda.so.1` writes if `GPUVM_CUDA_TRACE` names a file: one line per call, which
/// contains the name of the function, and the number of its message to the backend.
///
/// @param functions names of the called functions
/// @param startUpCalls number of calls before the first allocation of memory
/// @param startUpMessages number of these calls that sent a message to the backend
record CallTrace(SortedSet<String> functions, int startUpCalls, int startUpMessages) {
    /// Environment variable with the path of the file.
    static final String VARIABLE = "GPUVM_CUDA_TRACE";

    /// Trace without a call.
    static final CallTrace EMPTY = new CallTrace(Collections.emptySortedSet(), 0, 0);

    private static final Pattern CALL = Pattern.compile("\\b(cu[A-Z]\\w*)(?:.* call=(\\d+)$)?");
    private static final Pattern ALLOCATION = Pattern.compile("cuMem(Host)?Alloc.*");

    CallTrace {
        functions = Collections.unmodifiableSortedSet(functions);
    }

    /// Reads a trace.
    ///
    /// @return trace without a call if the file does not exist, because the program has called none
    static CallTrace read(Path file) {
        if (!Files.exists(file)) {
            return EMPTY;
        }
        SortedSet<String> functions = new TreeSet<>();
        int calls = 0;
        int messages = 0;
        boolean started = false;
        // A process that was killed may leave an incomplete character.
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            for (Matcher call : (Iterable<Matcher>) lines.map(CALL::matcher)::iterator) {
                if (!call.find()) {
                    continue;
                }
                functions.add(call.group(1));
                started |= ALLOCATION.matcher(call.group(1)).matches();
                if (!started) {
                    calls++;
                    messages += call.group(2) == null || call.group(2).equals("0") ? 0 : 1;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new CallTrace(functions, calls, messages);
    }

    /// Returns the trace with the functions of another one, too.
    CallTrace with(CallTrace other) {
        SortedSet<String> all = new TreeSet<>(functions);
        all.addAll(other.functions);
        return new CallTrace(all, startUpCalls, startUpMessages);
    }
}
