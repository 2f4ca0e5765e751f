package io.gpuvm.ptx.syntax;

/// Ends the parsing of a statement or directive that has an error. Never leaves the package.
final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SourcePosition position;

    SyntaxException(SourcePosition position, String message) {
        super(message, null, false, false);
        this.position = position;
    }

    SourcePosition position() {
        return position;
    }
}
