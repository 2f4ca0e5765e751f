package io.gpuvm.gf100.asm;

/// A word of a source.
///
/// @param text as it stands there; of a [Kind#STRING] what it says
/// @param line from 1
/// @param column from 1
record Token(Kind kind, String text, int line, int column) {
    enum Kind {
        /// A name, which may have dots, at its start too.
        NAME,
        NUMBER,
        STRING,
        MARK,
        /// A semicolon or the end of a line.
        END
    }

    boolean is(String mark) {
        return (kind == Kind.MARK || kind == Kind.NAME) && text.equals(mark);
    }

    /// For messages.
    String quoted() {
        return kind == Kind.END ? "end of the statement" : "'" + text + "'";
    }

    /// The part of it that starts there.
    Token from(int index) {
        return new Token(kind, text.substring(index), line, column + index);
    }
}
