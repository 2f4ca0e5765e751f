package io.gpuvm.gf100.asm;

import java.util.function.Function;

/// Number that may depend on names.
sealed interface Expression {
    /// Returns the token to which errors refer.
    Token token();

    record Literal(Token token, Value value) implements Expression {}

    record Name(Token token) implements Expression {}

    record Negation(Token token, Expression of) implements Expression {}

    /// @param token the operator
    record Operation(Token token, Expression left, Expression right) implements Expression {}

    /// @param names function that returns the value of a name, or null if the name is undefined
    default Value evaluate(Function<String, Value> names) {
        return switch (this) {
            case Literal(_, var value) -> value;
            case Name(var token) -> {
                Value value = names.apply(token.text());
                if (value == null) {
                    throw new SourceException(token, token.quoted() + ": not defined");
                }
                yield value;
            }
            case Negation(_, var of) -> of.evaluate(names).negate();
            case Operation(var token, var left, var right) ->
                    operate(token, left.evaluate(names), right.evaluate(names));
        };
    }

    private static Value operate(Token operator, Value left, Value right) {
        if (left.isReal() || right.isReal()) {
            return operateReal(operator, left.asReal(), right.asReal());
        }
        long a = left.whole();
        long b = right.whole();
        boolean division = operator.is("/") || operator.is("%");
        if (division && b == 0) {
            throw new SourceException(operator, operator.quoted() + ": division by zero");
        }
        long result =
                switch (operator.text()) {
                    case "+" -> a + b;
                    case "-" -> a - b;
                    case "*" -> a * b;
                    case "/" -> a / b;
                    case "%" -> a % b;
                    case "<<" -> b < 0 || b >= Long.SIZE ? 0 : a << b;
                    case ">>" -> b < 0 || b >= Long.SIZE ? 0 : a >>> b;
                    default -> throw SourceException.expected(operator, "an operator");
                };
        boolean hex = left.kind() == Value.Kind.HEX || right.kind() == Value.Kind.HEX;
        int bank = Math.max(left.bank(), right.bank());
        return new Value(hex ? Value.Kind.HEX : Value.Kind.DECIMAL, result, 0, 0, bank);
    }

    private static Value operateReal(Token operator, double a, double b) {
        double result =
                switch (operator.text()) {
                    case "+" -> a + b;
                    case "-" -> a - b;
                    case "*" -> a * b;
                    case "/" -> a / b;
                    default ->
                            throw new SourceException(
                                    operator,
                                    operator.quoted() + ": not supported for fractional numbers");
                };
        return Value.real(result, (float) result);
    }
}
