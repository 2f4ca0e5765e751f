package io.gpuvm.ptx.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Tokens of a source with the steps that all parsers share. Parsers of one source use one reader.
final class TokenReader {
    private final Lexer lexer;
    private final ErrorList errors;
    private final SyntaxLimits limits;

    TokenReader(Lexer lexer, ErrorList errors, SyntaxLimits limits) {
        this.lexer = lexer;
        this.errors = errors;
        this.limits = limits;
    }

    Lexer lexer() {
        return lexer;
    }

    ErrorList errors() {
        return errors;
    }

    SyntaxLimits limits() {
        return limits;
    }

    boolean is(int kind) {
        return lexer.is(kind);
    }

    SourcePosition position() {
        return lexer.position();
    }

    boolean takeIf(int kind) {
        if (lexer.is(kind)) {
            lexer.next();
            return true;
        }
        return false;
    }

    boolean takeIfDirective(String name) {
        if (lexer.isDirective(name)) {
            lexer.next();
            return true;
        }
        return false;
    }

    void expect(char mark) {
        if (!takeIf(mark)) {
            throw expected("'" + mark + "'");
        }
    }

    /// Takes a token of a kind and returns its text.
    String take(int kind, String what) {
        if (!lexer.is(kind)) {
            throw expected(what);
        }
        String word = lexer.word();
        lexer.next();
        return word;
    }

    /// Takes a name without dots.
    String name(String what) {
        if (lexer.is(Lexer.NAME)
                && (lexer.word().indexOf('.') >= 0 || lexer.word().indexOf(':') >= 0)) {
            throw expected(what + " without '.' or ':'");
        }
        return take(Lexer.NAME, what);
    }

    int small(String what) {
        SourcePosition position = lexer.position();
        return Literals.small(take(Lexer.NUMBER, what), position);
    }

    /// Reads parts with commas between them.
    <T> List<T> list(Supplier<T> part) {
        List<T> parts = new ArrayList<>();
        do {
            parts.add(part.get());
        } while (takeIf(','));
        return parts;
    }

    /// Reads parts with commas between them up to a closing mark, which may follow immediately.
    <T> List<T> list(Supplier<T> part, char end) {
        if (takeIf(end)) {
            return List.of();
        }
        List<T> parts = list(part);
        expect(end);
        return parts;
    }

    /// Reads a statement or directive. After an error, it continues after the next semicolon, or at
    /// the next token that begins a line if the error is there.
    ///
    /// @return null after an error
    <T> T recovering(Supplier<T> part) {
        SourcePosition start = lexer.position();
        try {
            return part.get();
        } catch (SyntaxException e) {
            errors.error(e.position(), e.getMessage());
            if (lexer.position().equals(start) && !lexer.is('}')) {
                lexer.next();
            } else if (lexer.isFirstOfLine()) {
                return null;
            }
            skipStatement();
            return null;
        }
    }

    private void skipStatement() {
        while (!lexer.is(Lexer.END)) {
            if (takeIf(';') || lexer.isFirstOfLine() && !isContinuation()) {
                return;
            }
            lexer.next();
        }
    }

    private boolean isContinuation() {
        return !(lexer.is(Lexer.NAME)
                || lexer.is(Lexer.DIRECTIVE)
                || lexer.is('@')
                || lexer.is('{')
                || lexer.is('}'));
    }

    SyntaxException expected(String what) {
        return new SyntaxException(lexer.position(), lexer.quoted() + ": expected " + what);
    }
}
