package io.gpuvm.gf100.asm;

/// Parses one operand.
final class ArgumentParser {
    private static final String CONDITION = "CC.";
    private static final String SPECIAL = "SR";

    private final Tokens tokens;

    ArgumentParser(Tokens tokens) {
        this.tokens = tokens;
    }

    Argument read() {
        Token start = tokens.peek();
        if (tokens.takeIf("!")) {
            Token name = tokens.expectName("a predicate");
            return predicate(start, name, true);
        }
        boolean invert = tokens.takeIf("~");
        boolean negate = tokens.peek().is("-") && isSigned(tokens.peekSecond());
        if (negate) {
            tokens.take();
        }
        boolean absolute = tokens.takeIf("|");
        Argument argument = inner(start, new Argument.Signs(negate, absolute, invert, ""));
        if (!absolute) {
            return argument;
        }
        tokens.expect("|");
        return withSuffix(argument, suffix());
    }

    /// Returns whether a minus sign before this token belongs to the operand and not to the number.
    private static boolean isSigned(Token token) {
        return token.is("|") || token.is("c") || ReservedNames.register(head(token)) >= 0;
    }

    private Argument inner(Token start, Argument.Signs signs) {
        Token token = tokens.peek();
        if (token.is("[")) {
            return memory(start);
        }
        if (token.kind() == Token.Kind.NAME) {
            if (token.is("c") && tokens.peekSecond().is("[")) {
                return constant(start, signs);
            }
            int register = ReservedNames.register(head(token));
            if (register >= 0) {
                return register(start, tokens.take(), register, signs);
            }
            if (ReservedNames.predicate(token.text()) >= 0) {
                return predicate(start, tokens.take(), false);
            }
            if (token.text().startsWith(CONDITION)) {
                tokens.take();
                return new Argument.Condition(token, token.text().substring(CONDITION.length()));
            }
            if (token.is(ReservedNames.LINEAR)) {
                return new Argument.Dimension(tokens.take());
            }
            if (token.text().startsWith(SPECIAL) && ReservedNames.isTaken(token.text())) {
                return new Argument.Special(token, tokens.take().text());
            }
        }
        return number(start, signs);
    }

    private static String head(Token token) {
        int dot = token.text().indexOf('.');
        return dot < 0 ? token.text() : token.text().substring(0, dot);
    }

    private static Argument register(Token start, Token token, int number, Argument.Signs signs) {
        if (number > ReservedNames.ZERO_REGISTER
                || token.text().equals("R" + ReservedNames.ZERO_REGISTER)) {
            throw SourceException.expected(token, "a register (R0..R62, RZ)");
        }
        String suffix = token.text().substring(head(token).length());
        return new Argument.Register(start, number, signs.withSuffix(suffix));
    }

    private static Argument predicate(Token start, Token token, boolean not) {
        int number = ReservedNames.predicate(token.text());
        if (number < 0
                || number > ReservedNames.TRUE_PREDICATE
                || token.text().equals("P" + ReservedNames.TRUE_PREDICATE)) {
            throw SourceException.expected(token, "a predicate (P0..P6, PT)");
        }
        return new Argument.Predicate(start, number, not);
    }

    private Argument constant(Token start, Argument.Signs signs) {
        tokens.expect("c");
        tokens.expect("[");
        Expression first = tokens.expression();
        tokens.expect("]");
        if (!tokens.peek().is("[")) {
            return new Argument.Constant(
                    start, null, ReservedNames.ZERO_REGISTER, first, signs.withSuffix(suffix()));
        }
        Argument.Memory place = memory(start);
        return new Argument.Constant(
                start, first, place.register(), place.offset(), signs.withSuffix(suffix()));
    }

    private Argument.Memory memory(Token start) {
        tokens.expect("[");
        int register = -1;
        Expression offset = null;
        Token operator = null;
        do {
            Token token = tokens.peek();
            int number =
                    token.kind() == Token.Kind.NAME ? ReservedNames.register(token.text()) : -1;
            if (number >= 0 && register < 0 && (operator == null || operator.is("+"))) {
                register(token, tokens.take(), number, Argument.Signs.NONE);
                register = number;
            } else {
                offset = add(offset, operator, tokens.product());
            }
            operator = tokens.peek();
        } while (tokens.takeIf("+") || tokens.takeIf("-"));
        tokens.expect("]");
        Expression known =
                offset == null ? new Expression.Literal(start, Value.decimal(0)) : offset;
        return new Argument.Memory(
                start, register < 0 ? ReservedNames.ZERO_REGISTER : register, known);
    }

    private static Expression add(Expression sum, Token operator, Expression next) {
        if (operator == null) {
            return next;
        }
        if (sum == null) {
            return operator.is("-") ? new Expression.Negation(operator, next) : next;
        }
        return new Expression.Operation(operator, sum, next);
    }

    private Argument number(Token start, Argument.Signs signs) {
        boolean mayBeSign = tokens.peek().is("-") && tokens.peekSecond().is("(");
        Expression number = tokens.expression();
        Expression negated =
                mayBeSign && number instanceof Expression.Negation(_, var inner) ? inner : null;
        return new Argument.Number(start, number, negated, signs.withSuffix(suffix()));
    }

    /// Reads the suffix of an operand: text that starts with a dot.
    private String suffix() {
        Token token = tokens.peek();
        if (token.kind() == Token.Kind.NAME && token.text().startsWith(".")) {
            return tokens.take().text();
        }
        return "";
    }

    private static Argument withSuffix(Argument argument, String suffix) {
        if (suffix.isEmpty()) {
            return argument;
        }
        return switch (argument) {
            case Argument.Register(var token, var number, var signs) ->
                    new Argument.Register(token, number, signs.withSuffix(suffix));
            case Argument.Constant(var token, var bank, var register, var offset, var signs) ->
                    new Argument.Constant(token, bank, register, offset, signs.withSuffix(suffix));
            case Argument.Number(var token, var number, var negated, var signs) ->
                    new Argument.Number(token, number, negated, signs.withSuffix(suffix));
            default -> argument;
        };
    }
}
