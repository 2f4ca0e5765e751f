package io.gpuvm.gf100.asm;

import java.util.List;
import java.util.stream.Collectors;

/// Thrown if a source cannot be assembled. The message contains a line for each of the first 20
/// errors.
public final class AssemblyException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int MESSAGES = 20;

    private final transient List<AssemblyError> errors;

    AssemblyException(List<AssemblyError> errors) {
        super(text(errors));
        this.errors = List.copyOf(errors);
    }

    /// Returns all errors, in the order of the source.
    public List<AssemblyError> errors() {
        return errors;
    }

    private static String text(List<AssemblyError> errors) {
        String lines =
                errors.stream()
                        .limit(MESSAGES)
                        .map(AssemblyError::toString)
                        .collect(Collectors.joining("\n"));
        int more = errors.size() - MESSAGES;
        return more > 0 ? lines + "\nand " + more + " more errors" : lines;
    }
}
