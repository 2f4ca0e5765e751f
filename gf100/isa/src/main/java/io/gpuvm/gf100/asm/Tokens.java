package io.gpuvm.gf100.asm;

import java.util.List;

/// Tokens of a statement, consumed from the left.
final class Tokens {
    /// Maximum number of terms in an expression, including parentheses and signs.
    private static final int MOST_TERMS = 256;

    private final List<Token> tokens;
    private int next;
    private int depth;
    private int terms;

    /// @param tokens tokens, of which the last is a [Token.Kind#END]
    Tokens(List<Token> tokens) {
        this.tokens = tokens;
    }

    /// Returns the remaining tokens; registers replace their aliases.
    Tokens resolve(Scope scope) {
        return new Tokens(
                tokens.subList(next, tokens.size()).stream().map(scope::resolve).toList());
    }

    Token peek() {
        return tokens.get(next);
    }

    /// Returns the token after the next token.
    Token peekSecond() {
        return tokens.get(Math.min(next + 1, tokens.size() - 1));
    }

    Token take() {
        Token token = peek();
        if (next < tokens.size() - 1) {
            next++;
        }
        return token;
    }

    boolean isEnd() {
        return peek().kind() == Token.Kind.END;
    }

    boolean takeIf(String mark) {
        if (peek().is(mark)) {
            next++;
            return true;
        }
        return false;
    }

    void expect(String mark) {
        if (!takeIf(mark)) {
            throw SourceException.expected(peek(), "'" + mark + "'");
        }
    }

    void expectEnd() {
        if (!isEnd()) {
            throw SourceException.expected(peek(), "the end of the statement");
        }
    }

    Token expectName(String what) {
        if (peek().kind() != Token.Kind.NAME) {
            throw SourceException.expected(peek(), what);
        }
        return take();
    }

    // Sums have lower precedence than products and shifts; all operators are left-associative.

    Expression expression() {
        if (depth == 0) {
            terms = 0;
        }
        depth++;
        Expression left = product();
        while (peek().is("+") || peek().is("-")) {
            Token operator = take();
            left = new Expression.Operation(operator, left, product());
        }
        depth--;
        return left;
    }

    Expression product() {
        Expression left = factor();
        while (peek().is("*")
                || peek().is("/")
                || peek().is("%")
                || peek().is("<<")
                || peek().is(">>")) {
            Token operator = take();
            left = new Expression.Operation(operator, left, factor());
        }
        return left;
    }

    private Expression factor() {
        Token token = take();
        if (++terms > MOST_TERMS) {
            throw new SourceException(
                    token, "%s: terms=%d, limit=%d".formatted(token.quoted(), terms, MOST_TERMS));
        }
        switch (token.kind()) {
            case NUMBER -> {
                Value value = Value.parse(token.text());
                if (value == null) {
                    throw SourceException.expected(token, "a number of at most 64 bits");
                }
                return new Expression.Literal(token, value);
            }
            case NAME -> {
                return named(token);
            }
            default -> {
                if (token.is("-")) {
                    return new Expression.Negation(token, factor());
                }
                if (token.is("+")) {
                    return factor();
                }
                if (token.is("(")) {
                    Expression inner = expression();
                    expect(")");
                    return inner;
                }
                throw SourceException.expected(token, "a number or a name");
            }
        }
    }

    private static Expression named(Token token) {
        if (token.is("INF") || token.is("Infinity")) {
            return new Expression.Literal(
                    token, Value.real(Double.POSITIVE_INFINITY, Float.POSITIVE_INFINITY));
        }
        if (ReservedNames.isTaken(token.text())) {
            throw SourceException.expected(token, "a number or a name");
        }
        return new Expression.Name(token);
    }
}
