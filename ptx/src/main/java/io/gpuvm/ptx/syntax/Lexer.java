package io.gpuvm.ptx.syntax;

import java.util.Arrays;

/// Reads the tokens of a source. The lexer holds one token; it has no other look-ahead.
final class Lexer {
    /// Kinds of tokens that are not marks. A mark of one character has its character as kind, and a
    /// mark of two characters has both, the first in the upper byte.
    static final int END = -1;

    /// Name or opcode, with the words after dots.
    static final int NAME = -2;

    /// Word with a leading dot.
    static final int DIRECTIVE = -3;

    /// Integer or real number.
    static final int NUMBER = -4;

    /// Contents of a string.
    static final int STRING = -5;

    static final int SHIFT_LEFT = mark('<', '<');
    static final int SHIFT_RIGHT = mark('>', '>');
    static final int AT_AT = mark('@', '@');

    private static final String PAIRS = "<<>><=>===!=&&||@@";
    private static final String MARKS = "+-*/%,;:()[]{}<>=!~@|&^?";

    /// Word of a preprocessor's line that gives the number of a line.
    private static final String LINE_MARKER = "line";

    /// Multiplier of [String#hashCode].
    private static final int HASH = 31;

    private static final byte NAME_START = 1;
    private static final byte NAME_PART = 2;
    private static final byte BLANK = 4;
    private static final byte[] CLASSES = classes();

    private final char[] text;
    private final int length;
    private final ErrorList errors;
    private final NameTable names = new NameTable();
    private int at;
    private int lineNumber = 1;
    private int lineStart;

    private int kind;
    private int start;
    private int line;
    private int column;
    private String word;

    /// Line at which the preceding token ends.
    private int precedingLine;

    Lexer(String source, ErrorList errors) {
        length = source.length();
        // A character at the end that is in no token avoids tests for the end.
        text = new char[length + 2];
        source.getChars(0, length, text, 0);
        this.errors = errors;
        next();
    }

    static int mark(char first, char second) {
        return first << Byte.SIZE | second;
    }

    int kind() {
        return kind;
    }

    boolean is(int wanted) {
        return kind == wanted;
    }

    boolean isDirective(String name) {
        return kind == DIRECTIVE && word.equals(name);
    }

    /// Returns the text of a name, directive or number, or the contents of a string.
    String word() {
        return word;
    }

    int line() {
        return line;
    }

    /// Returns whether the token is the first of its line.
    boolean isFirstOfLine() {
        return line > precedingLine;
    }

    SourcePosition position() {
        return new SourcePosition(line, column);
    }

    /// Returns the token for messages.
    String quoted() {
        return switch (kind) {
            case END -> "end of the source";
            case STRING -> "string";
            default -> {
                int end = Math.min(at, start + Quotation.LIMIT);
                yield Quotation.of(new String(text, start, Math.max(0, end - start)));
            }
        };
    }

    /// Reads the next token. After too many errors, it is the end of the source.
    void next() {
        precedingLine = lineNumber;
        while (!read()) {
            skipForeign();
        }
    }

    /// Skips tokens to the end of the line.
    void skipLine() {
        do {
            next();
        } while (!isFirstOfLine() && kind != END);
    }

    /// Reads a token, unless the next character begins none.
    private boolean read() {
        skipBlanks();
        start = at;
        line = lineNumber;
        column = at - lineStart + 1;
        char c = text[at];
        if (at >= length || errors.isFull()) {
            kind = END;
        } else if (isNameStart(c) || c == '%' && isNamePart(text[at + 1])) {
            kind = NAME;
            word = dotted();
        } else if (isDigit(c)) {
            kind = NUMBER;
            at = numberEnd();
            word = new String(text, start, at - start);
        } else if (c == '.' && isNamePart(text[at + 1])) {
            directive();
        } else if (c == '"') {
            string();
        } else {
            return mark(c);
        }
        return true;
    }

    private boolean mark(char c) {
        char second = text[at + 1];
        if (isPair(c, second)) {
            kind = mark(c, second);
            at += 2;
        } else if (MARKS.indexOf(c) >= 0) {
            kind = c;
            at++;
        } else {
            return false;
        }
        return true;
    }

    /// Skips characters that are not part of the language, with one message.
    private void skipForeign() {
        errors.error(
                position(), Quotation.of(String.valueOf(text[at])) + ": not part of the language");
        do {
            at++;
        } while (at < length && isForeign(text[at]));
    }

    private static boolean isPair(char first, char second) {
        for (int i = 0; i < PAIRS.length(); i += 2) {
            if (PAIRS.charAt(i) == first && PAIRS.charAt(i + 1) == second) {
                return true;
            }
        }
        return false;
    }

    private static boolean isForeign(char c) {
        return (c >= CLASSES.length || CLASSES[c] == 0)
                && MARKS.indexOf(c) < 0
                && c != '"'
                && c != '.'
                && c != '\n'
                && c != '#';
    }

    private void skipBlanks() {
        while (true) {
            char c = text[at];
            if (c == '\n') {
                newLine();
            } else if (c < CLASSES.length && CLASSES[c] == BLANK) {
                at++;
            } else if (c == '/' && text[at + 1] == '/') {
                skipToLineEnd();
            } else if (c == '/' && text[at + 1] == '*') {
                comment();
            } else if (c == '#') {
                preprocessorLine();
            } else {
                return;
            }
        }
    }

    private void newLine() {
        at++;
        lineNumber++;
        lineStart = at;
    }

    private boolean isAt(int index, String wanted) {
        return index + wanted.length() <= length
                && new String(text, index, wanted.length()).equals(wanted);
    }

    private void skipToLineEnd() {
        while (at < length && text[at] != '\n') {
            at++;
        }
    }

    private void comment() {
        SourcePosition opening = new SourcePosition(lineNumber, at - lineStart + 1);
        at += 2;
        while (at < length) {
            if (text[at] == '\n') {
                newLine();
            } else if (text[at] == '*' && text[at + 1] == '/') {
                at += 2;
                return;
            } else {
                at++;
            }
        }
        errors.error(opening, "'/*': expected a closing '*/'");
    }

    /// Skips a line that begins with `#`. Preprocessors emit such lines with the number of a line.
    private void preprocessorLine() {
        SourcePosition position = new SourcePosition(lineNumber, at - lineStart + 1);
        int first = at + 1;
        while (text[first] == ' ' || text[first] == '\t') {
            first++;
        }
        boolean marker = isDigit(text[first]) || isAt(first, LINE_MARKER);
        if (!marker) {
            errors.error(position, "'#': directives of a preprocessor are not supported");
        }
        skipToLineEnd();
    }

    private String dotted() {
        int hash = 0;
        int end = at;
        while (true) {
            char c = text[end];
            boolean part =
                    isNamePart(c)
                            || c == '%' && end == at
                            || c == '.' && isNamePart(text[end + 1])
                            || c == ':' && text[end + 1] == ':' && isNamePart(text[end + 2])
                            || c == ':' && text[end - 1] == ':' && isNamePart(text[end + 1]);
            if (!part) {
                break;
            }
            hash = HASH * hash + c;
            end++;
        }
        at = end;
        return names.name(text, start, end, hash);
    }

    private void directive() {
        kind = DIRECTIVE;
        int hash = '.';
        int end = at + 1;
        while (true) {
            char c = text[end];
            if (c == ':' && text[end + 1] == ':' && isNamePart(text[end + 2])) {
                hash = HASH * hash + c;
                end++;
            } else if (!isNamePart(c)) {
                break;
            }
            hash = HASH * hash + text[end];
            end++;
        }
        at = end;
        word = names.name(text, start, end, hash);
    }

    /// Returns the end of a number, which includes letters and digits that follow it. Its
    /// conversion refuses a number with wrong characters.
    private int numberEnd() {
        int end = at;
        while (true) {
            char c = text[end];
            boolean sign =
                    (c == '+' || c == '-')
                            && (text[end - 1] == 'e' || text[end - 1] == 'E')
                            && isDecimal(start, end - 1);
            boolean point = c == '.' && isDecimal(start, end);
            if (!isNamePart(c) && !sign && !point) {
                return end;
            }
            end++;
        }
    }

    /// Returns whether a part of the text contains only digits and at most one point.
    private boolean isDecimal(int from, int to) {
        int points = 0;
        for (int i = from; i < to; i++) {
            if (text[i] == '.') {
                points++;
            } else if (!isDigit(text[i])) {
                return false;
            }
        }
        return points <= 1;
    }

    private void string() {
        kind = STRING;
        int end = at + 1;
        StringBuilder contents = new StringBuilder();
        while (end < length && text[end] != '"' && text[end] != '\n') {
            if (text[end] == '\\' && end + 1 < length && text[end + 1] != '\n') {
                end++;
            }
            contents.append(text[end]);
            end++;
        }
        if (end >= length || text[end] != '"') {
            errors.error(position(), "string: expected a closing '\"'");
            at = end;
        } else {
            at = end + 1;
        }
        word = contents.toString();
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return c < CLASSES.length && (CLASSES[c] & NAME_START) != 0;
    }

    private static boolean isNamePart(char c) {
        return c < CLASSES.length && (CLASSES[c] & NAME_PART) != 0;
    }

    private static byte[] classes() {
        byte[] classes = new byte[Byte.MAX_VALUE + 1];
        Arrays.fill(classes, 'a', 'z' + 1, (byte) (NAME_START | NAME_PART));
        Arrays.fill(classes, 'A', 'Z' + 1, (byte) (NAME_START | NAME_PART));
        Arrays.fill(classes, '0', '9' + 1, NAME_PART);
        classes['_'] = NAME_START | NAME_PART;
        classes['$'] = NAME_START | NAME_PART;
        for (char blank : new char[] {' ', '\t', '\r', '\f', '\013'}) {
            classes[blank] = BLANK;
        }
        return classes;
    }
}
