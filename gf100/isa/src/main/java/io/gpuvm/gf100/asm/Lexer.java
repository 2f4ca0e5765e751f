package io.gpuvm.gf100.asm;

import java.util.ArrayList;
import java.util.List;

/// Splits a source into statements, and statements into tokens.
final class Lexer {
    private static final String MARKS = "+-*/%,()[]|~!@:=";
    private static final int UNICODE_DIGITS = 4;
    private static final int HEX = 16;

    private final String file;
    private final String source;
    private final List<AssemblyError> errors;
    private final List<List<Token>> statements = new ArrayList<>();
    private List<Token> statement = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineStart;

    Lexer(String file, String source, List<AssemblyError> errors) {
        this.file = file;
        this.source = source;
        this.errors = errors;
    }

    /// Returns the statements that contain tokens; each ends with a [Token.Kind#END].
    List<List<Token>> statements() {
        while (at < source.length()) {
            next();
        }
        end();
        return statements;
    }

    private void next() {
        char c = source.charAt(at);
        if (c == '\n') {
            end();
            at++;
            line++;
            lineStart = at;
        } else if (c == ';') {
            end();
            at++;
        } else if (Character.isWhitespace(c)) {
            at++;
        } else if (source.startsWith("//", at)) {
            int newline = source.indexOf('\n', at);
            at = newline < 0 ? source.length() : newline;
        } else if (source.startsWith("/*", at)) {
            comment();
        } else if (isNameStart(c)) {
            take(Token.Kind.NAME, nameEnd());
        } else if (isDimension()) {
            take(Token.Kind.NAME, at + ReservedNames.LINEAR.length());
        } else if (isDigit(c)) {
            take(Token.Kind.NUMBER, numberEnd());
        } else if (c == '"') {
            string();
        } else if (source.startsWith("<<", at) || source.startsWith(">>", at)) {
            take(Token.Kind.MARK, at + 2);
        } else if (MARKS.indexOf(c) >= 0) {
            take(Token.Kind.MARK, at + 1);
        } else {
            error("'" + c + "': not part of the language");
            at++;
        }
    }

    private void end() {
        if (!statement.isEmpty()) {
            statement.add(new Token(Token.Kind.END, "", line, at - lineStart + 1));
            statements.add(statement);
            statement = new ArrayList<>();
        }
    }

    private void take(Token.Kind kind, int end) {
        statement.add(new Token(kind, source.substring(at, end), line, at - lineStart + 1));
        at = end;
    }

    private void comment() {
        int end = source.indexOf("*/", at + 2);
        if (end < 0) {
            error("'/*': expected a closing '*/'");
            at = source.length();
            return;
        }
        while (at < end + 2) {
            if (source.charAt(at) == '\n') {
                line++;
                lineStart = at + 1;
            }
            at++;
        }
    }

    /// Returns whether the next token is `1D`, the only word that starts with a digit and is not a
    /// number.
    private boolean isDimension() {
        return source.startsWith(ReservedNames.LINEAR, at)
                && !isNamePart(charAt(at + ReservedNames.LINEAR.length()));
    }

    private int nameEnd() {
        int end = at + 1;
        while (end < source.length() && isNamePart(source.charAt(end))) {
            end++;
        }
        return end;
    }

    /// Returns the end of a number, which is hexadecimal, or decimal with an optional fraction and
    /// exponent.
    private int numberEnd() {
        int end = at;
        if (source.startsWith("0x", at) || source.startsWith("0X", at)) {
            end += 2;
            while (end < source.length() && Character.digit(source.charAt(end), HEX) >= 0) {
                end++;
            }
            return end;
        }
        end = digits(end);
        if (charAt(end) == '.' && isDigit(charAt(end + 1))) {
            end = digits(end + 1);
        }
        if (charAt(end) == 'e' || charAt(end) == 'E') {
            boolean signed = charAt(end + 1) == '-' || charAt(end + 1) == '+';
            int exponent = signed ? end + 2 : end + 1;
            if (isDigit(charAt(exponent))) {
                end = digits(exponent);
            }
        }
        return end;
    }

    private int digits(int from) {
        int end = from;
        while (isDigit(charAt(end))) {
            end++;
        }
        return end;
    }

    private char charAt(int index) {
        return index < source.length() ? source.charAt(index) : 0;
    }

    private void string() {
        int column = at - lineStart + 1;
        StringBuilder text = new StringBuilder();
        at++;
        while (charAt(at) != '"') {
            if (at >= source.length() || charAt(at) == '\n') {
                error("string: expected a closing '\"'");
                return;
            }
            text.append(charAt(at) == '\\' ? escape() : charAt(at++));
        }
        at++;
        statement.add(new Token(Token.Kind.STRING, text.toString(), line, column));
    }

    /// Reads an escape sequence: a backslash, then `u` and four hexadecimal digits, or the quoted
    /// character.
    private char escape() {
        char c = charAt(at + 1);
        at += 2;
        if (c != 'u' || at + UNICODE_DIGITS > source.length()) {
            return c;
        }
        int value = 0;
        for (int i = 0; i < UNICODE_DIGITS; i++) {
            int digit = Character.digit(charAt(at), HEX);
            if (digit < 0) {
                error("'\\u': expected four hexadecimal digits");
                return 0;
            }
            value = value * HEX + digit;
            at++;
        }
        return (char) value;
    }

    private void error(String message) {
        errors.add(new AssemblyError(file, line, at - lineStart + 1, message));
    }

    static boolean isNameStart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '.';
    }

    static boolean isNamePart(char c) {
        return isNameStart(c) || isDigit(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
