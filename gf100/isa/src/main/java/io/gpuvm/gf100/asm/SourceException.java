package io.gpuvm.gf100.asm;

/// Ends the work on one statement; the next statement is looked at all the same.
final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Token token;

    SourceException(Token token, String message) {
        super(message, null, false, false);
        this.token = token;
    }

    /// What is there, and what should be.
    static SourceException expected(Token token, String what) {
        return new SourceException(token, token.quoted() + ": expected " + what);
    }

    AssemblyError error(String file) {
        return new AssemblyError(file, token.line(), token.column(), getMessage());
    }
}
