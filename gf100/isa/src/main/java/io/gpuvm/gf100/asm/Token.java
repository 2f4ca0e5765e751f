package io.gpuvm.gf100.asm;

/// Token of a source.
///
/// @param text text in the source; contents of the string for a [Kind#STRING]
/// @param line number of the line, from 1
/// @param column number of the column, from 1
record Token(Kind kind, String text, int line, int column) {
    enum Kind {
        /// Name, which may contain dots, including at its start.
        NAME,
        NUMBER,
        STRING,
        MARK,
        /// Semicolon, end of a line, or end of the source.
        END
    }

    boolean is(String mark) {
        return (kind == Kind.MARK || kind == Kind.NAME) && text.equals(mark);
    }

    /// Returns the text for messages.
    String quoted() {
        return kind == Kind.END ? "end of the statement" : "'" + text + "'";
    }

    /// Returns the part of the token that starts at `index`.
    Token from(int index) {
        return new Token(kind, text.substring(index), line, column + index);
    }
}
