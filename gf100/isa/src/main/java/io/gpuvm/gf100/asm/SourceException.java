package io.gpuvm.gf100.asm;

/// Thrown to end the processing of a statement; processing continues with the next statement.
final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Token token;

    SourceException(Token token, String message) {
        super(message, null, false, false);
        this.token = token;
    }

    /// Returns an exception with the actual and the expected text.
    static SourceException expected(Token token, String what) {
        return new SourceException(token, token.quoted() + ": expected " + what);
    }

    AssemblyError error(String file) {
        return new AssemblyError(file, token.line(), token.column(), getMessage());
    }
}
