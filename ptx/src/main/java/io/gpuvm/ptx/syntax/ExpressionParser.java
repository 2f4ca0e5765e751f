package io.gpuvm.ptx.syntax;

import java.util.Map;

/// Parses constant expressions. Operators have the precedence of C.
final class ExpressionParser {
    /// Maximum number of terms in an expression.
    private static final int MAX_TERMS = 256;

    private static final int SUM = 9;

    private static final Map<Integer, Integer> PRECEDENCE =
            Map.ofEntries(
                    Map.entry(Lexer.mark('|', '|'), 1),
                    Map.entry(Lexer.mark('&', '&'), 2),
                    Map.entry((int) '|', 3),
                    Map.entry((int) '^', 4),
                    Map.entry((int) '&', 5),
                    Map.entry(Lexer.mark('=', '='), 6),
                    Map.entry(Lexer.mark('!', '='), 6),
                    Map.entry((int) '<', 7),
                    Map.entry((int) '>', 7),
                    Map.entry(Lexer.mark('<', '='), 7),
                    Map.entry(Lexer.mark('>', '='), 7),
                    Map.entry(Lexer.SHIFT_LEFT, 8),
                    Map.entry(Lexer.SHIFT_RIGHT, 8),
                    Map.entry((int) '+', SUM),
                    Map.entry((int) '-', SUM),
                    Map.entry((int) '*', 10),
                    Map.entry((int) '/', 10),
                    Map.entry((int) '%', 10));

    private final TokenReader tokens;
    private int depth;
    private int terms;

    ExpressionParser(TokenReader tokens) {
        this.tokens = tokens;
    }

    /// Parses an expression.
    ExpressionTree parse() {
        terms = 0;
        depth = 0;
        return conditional();
    }

    /// Parses a sum: an expression that no comparison interrupts.
    ExpressionTree parseSum() {
        terms = 0;
        depth = 0;
        return binary(unary(), SUM);
    }

    /// Parses the rest of an expression that begins with a name.
    ExpressionTree parseAfter(ExpressionTree.Name name) {
        terms = 1;
        depth = 0;
        return choice(binary(tokens.is('(') ? application(name) : name, 1));
    }

    private ExpressionTree conditional() {
        return choice(binary(unary(), 1));
    }

    private ExpressionTree choice(ExpressionTree condition) {
        if (!tokens.takeIf('?')) {
            return condition;
        }
        enter();
        ExpressionTree then = conditional();
        tokens.expect(':');
        ExpressionTree otherwise = conditional();
        depth--;
        return new ExpressionTree.Conditional(condition.position(), condition, then, otherwise);
    }

    private ExpressionTree binary(ExpressionTree first, int lowest) {
        ExpressionTree left = first;
        while (true) {
            int kind = tokens.lexer().kind();
            if (kind == ',' || kind == ';' || kind == ']') {
                return left;
            }
            int precedence = PRECEDENCE.getOrDefault(kind, 0);
            if (precedence < lowest) {
                return left;
            }
            tokens.lexer().next();
            ExpressionTree right = binary(unary(), precedence + 1);
            left = new ExpressionTree.Binary(left.position(), text(kind), left, right);
        }
    }

    private static String text(int kind) {
        String last = String.valueOf((char) (kind & 0xFF));
        return kind >> Byte.SIZE == 0 ? last : (char) (kind >> Byte.SIZE) + last;
    }

    private ExpressionTree unary() {
        SourcePosition position = tokens.position();
        if (++terms > MAX_TERMS) {
            throw new SyntaxException(
                    position, "expression: terms=%d, limit=%d".formatted(terms, MAX_TERMS));
        }
        Lexer lexer = tokens.lexer();
        switch (lexer.kind()) {
            case Lexer.NUMBER -> {
                return number(position);
            }
            case Lexer.NAME -> {
                ExpressionTree.Name name = new ExpressionTree.Name(position, lexer.word());
                lexer.next();
                return tokens.is('(') ? application(name) : name;
            }
            case '+', '-', '!', '~' -> {
                String operator = text(lexer.kind());
                lexer.next();
                enter();
                ExpressionTree operand = unary();
                depth--;
                return new ExpressionTree.Unary(position, operator, operand);
            }
            case '(' -> {
                return parenthesis(position);
            }
            default -> throw tokens.expected("an operand");
        }
    }

    private ExpressionTree number(SourcePosition position) {
        String text = tokens.lexer().word();
        ExpressionTree number = Literals.of(text, position);
        tokens.lexer().next();
        return tokens.is('(') ? application(new ExpressionTree.Name(position, text)) : number;
    }

    private ExpressionTree parenthesis(SourcePosition position) {
        tokens.lexer().next();
        enter();
        ExpressionTree result;
        if (tokens.is(Lexer.DIRECTIVE)) {
            String type = tokens.lexer().word();
            tokens.lexer().next();
            tokens.expect(')');
            result = new ExpressionTree.Cast(position, type, unary());
        } else {
            result = conditional();
            tokens.expect(')');
        }
        depth--;
        return result;
    }

    private ExpressionTree application(ExpressionTree.Name name) {
        tokens.expect('(');
        enter();
        ExpressionTree argument = conditional();
        tokens.expect(')');
        depth--;
        return new ExpressionTree.Application(name.position(), name.name(), argument);
    }

    private void enter() {
        int limit = tokens.limits().depth();
        if (++depth > limit) {
            throw new SyntaxException(
                    tokens.position(), "expression: depth=%d, limit=%d".formatted(depth, limit));
        }
    }
}
