package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.function.Function;

/// Evaluates constant expressions: with integers of 64 bits, which are unsigned if an operand is,
/// and with doubles.
final class ConstantEvaluator {
    private static final String WARP_SIZE_NAME = "WARP_SZ";
    private static final int WARP_SIZE = 32;

    private final Function<String, Named> names;

    /// @param names meaning of a name, or null
    ConstantEvaluator(Function<String, Named> names) {
        this.names = names;
    }

    /// Evaluates an expression.
    ///
    /// @throws CheckException if the expression is not constant
    Constant evaluate(ExpressionTree tree) {
        return switch (tree) {
            case ExpressionTree.IntegerLiteral literal ->
                    new Constant.Whole(literal.value(), literal.unsigned());
            case ExpressionTree.RealLiteral literal ->
                    new Constant.Real(literal.value(), literal.bits(), literal.single());
            case ExpressionTree.Name name -> named(name);
            case ExpressionTree.Unary unary -> unary(unary);
            case ExpressionTree.Binary binary -> binary(binary);
            case ExpressionTree.Conditional choice ->
                    evaluate(isTrue(choice.condition()) ? choice.then() : choice.otherwise());
            case ExpressionTree.Cast cast -> cast(cast);
            case ExpressionTree.Application application -> application(application);
        };
    }

    /// Evaluates an expression whose value is an integer.
    ///
    /// @throws CheckException if the expression has another value
    long whole(ExpressionTree tree) {
        if (evaluate(tree) instanceof Constant.Whole whole) {
            return whole.value();
        }
        throw new CheckException(tree.position(), "expected a constant integer");
    }

    /// Evaluates an expression whose value is an integer in a range.
    ///
    /// @param what description of the value for messages
    /// @throws CheckException if the expression has another value
    long whole(ExpressionTree tree, String what, long least, long greatest) {
        long value = whole(tree);
        if (value < least || value > greatest) {
            throw new CheckException(
                    tree.position(),
                    "%s=%d, expected %d to %d".formatted(what, value, least, greatest));
        }
        return value;
    }

    private Constant named(ExpressionTree.Name name) {
        if (name.name().equals(WARP_SIZE_NAME)) {
            return new Constant.Whole(WARP_SIZE, false);
        }
        return switch (names.apply(name.name())) {
            case null ->
                    throw new CheckException(
                            name.position(), Quotation.of(name.name()) + " is not declared");
            case Named.Variable variable ->
                    new Constant.Address(
                            variable.variable(), 0, false, -1, variable.elementBytes());
            case Named.Function function ->
                    new Constant.Address(function.header(), 0, false, -1, 1);
            default ->
                    throw new CheckException(
                            name.position(), Quotation.of(name.name()) + " is not constant");
        };
    }

    private boolean isTrue(ExpressionTree tree) {
        return switch (evaluate(tree)) {
            case Constant.Whole whole -> whole.value() != 0;
            case Constant.Real real -> real.value() != 0;
            case Constant.Address address ->
                    throw new CheckException(tree.position(), "expected a constant number");
        };
    }

    private Constant unary(ExpressionTree.Unary tree) {
        if (tree.operator().equals("!")) {
            return truth(!isTrue(tree.operand()));
        }
        Constant operand = evaluate(tree.operand());
        if (operand instanceof Constant.Whole whole) {
            return switch (tree.operator()) {
                case "-" -> new Constant.Whole(-whole.value(), whole.unsigned());
                case "~" -> new Constant.Whole(~whole.value(), whole.unsigned());
                default -> whole;
            };
        }
        if (operand instanceof Constant.Real real && tree.operator().equals("-")) {
            return negated(real);
        }
        if (operand instanceof Constant.Real real && tree.operator().equals("+")) {
            return real;
        }
        throw new CheckException(
                tree.position(), "'" + tree.operator() + "' does not apply to this operand");
    }

    private static Constant negated(Constant.Real real) {
        return real.single()
                ? new Constant.Real(-real.value(), real.bits() ^ 1L << (Integer.SIZE - 1), true)
                : Constant.Real.of(-real.value());
    }

    private Constant cast(ExpressionTree.Cast tree) {
        Constant operand = evaluate(tree.operand());
        if (!(operand instanceof Constant.Whole whole)) {
            throw new CheckException(tree.position(), "expected a constant integer");
        }
        return switch (tree.type()) {
            case ".s64" -> new Constant.Whole(whole.value(), false);
            case ".u64" -> new Constant.Whole(whole.value(), true);
            default ->
                    throw new CheckException(
                            tree.position(), tree.type() + ": expected one of .s64, .u64");
        };
    }

    private Constant application(ExpressionTree.Application tree) {
        Constant argument = evaluate(tree.argument());
        if (argument instanceof Constant.Address address) {
            if (tree.name().equals("generic")) {
                return new Constant.Address(
                        address.symbol(), address.offset(), true, address.mask(), 1);
            }
            long mask = mask(tree.name());
            if (mask != 0) {
                return new Constant.Address(
                        address.symbol(), address.offset(), address.generic(), mask, 1);
            }
        }
        throw new CheckException(
                tree.position(),
                Quotation.of(tree.name()) + ": expected generic(SYMBOL) or MASK(SYMBOL)");
    }

    /// Returns the mask of one byte that a text contains, or 0.
    private static long mask(String text) {
        final int byteMask = 0xFF;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            long mask = (long) byteMask << shift;
            if (text.equalsIgnoreCase("0x" + Long.toHexString(mask))) {
                return mask;
            }
        }
        return 0;
    }

    private Constant binary(ExpressionTree.Binary tree) {
        if (tree.operator().equals("&&")) {
            return truth(isTrue(tree.left()) && isTrue(tree.right()));
        }
        if (tree.operator().equals("||")) {
            return truth(isTrue(tree.left()) || isTrue(tree.right()));
        }
        Constant left = evaluate(tree.left());
        Constant right = evaluate(tree.right());
        if (left instanceof Constant.Whole a && right instanceof Constant.Whole b) {
            return whole(tree.position(), tree.operator(), a, b);
        }
        if (left instanceof Constant.Real a && right instanceof Constant.Real b) {
            return real(tree.position(), tree.operator(), a.value(), b.value());
        }
        if (left instanceof Constant.Address address && right instanceof Constant.Whole b) {
            switch (tree.operator()) {
                case "+" -> {
                    return address.plus(b.value());
                }
                case "-" -> {
                    return address.plus(-b.value());
                }
                default -> {}
            }
        }
        throw new CheckException(
                tree.position(), "'" + tree.operator() + "' does not apply to these operands");
    }

    private static Constant whole(
            SourcePosition at, String operator, Constant.Whole a, Constant.Whole b) {
        boolean unsigned = a.unsigned() || b.unsigned();
        long x = a.value();
        long y = b.value();
        int order = unsigned ? Long.compareUnsigned(x, y) : Long.compare(x, y);
        return switch (operator) {
            case "+" -> new Constant.Whole(x + y, unsigned);
            case "-" -> new Constant.Whole(x - y, unsigned);
            case "*" -> new Constant.Whole(x * y, unsigned);
            case "/", "%" -> new Constant.Whole(divide(at, operator, x, y, unsigned), unsigned);
            case "&" -> new Constant.Whole(x & y, unsigned);
            case "|" -> new Constant.Whole(x | y, unsigned);
            case "^" -> new Constant.Whole(x ^ y, unsigned);
            case "<<" -> new Constant.Whole(isShift(y) ? x << y : 0, a.unsigned());
            case ">>" -> new Constant.Whole(shiftRight(x, y, a.unsigned()), a.unsigned());
            case "<" -> truth(order < 0);
            case "<=" -> truth(order <= 0);
            case ">" -> truth(order > 0);
            case ">=" -> truth(order >= 0);
            case "==" -> truth(x == y);
            case "!=" -> truth(x != y);
            default -> throw new CheckException(at, "'" + operator + "' is not an operator");
        };
    }

    private static long divide(
            SourcePosition at, String operator, long x, long y, boolean unsigned) {
        if (y == 0) {
            throw new CheckException(at, "division by zero in a constant expression");
        }
        if (operator.equals("/")) {
            return unsigned ? Long.divideUnsigned(x, y) : x / y;
        }
        return unsigned ? Long.remainderUnsigned(x, y) : x % y;
    }

    private static boolean isShift(long count) {
        return count >= 0 && count < Long.SIZE;
    }

    private static long shiftRight(long x, long count, boolean unsigned) {
        if (!isShift(count)) {
            return unsigned || x >= 0 ? 0 : -1;
        }
        return unsigned ? x >>> count : x >> count;
    }

    private static Constant real(SourcePosition at, String operator, double x, double y) {
        return switch (operator) {
            case "+" -> Constant.Real.of(x + y);
            case "-" -> Constant.Real.of(x - y);
            case "*" -> Constant.Real.of(x * y);
            case "/" -> Constant.Real.of(x / y);
            case "<" -> truth(x < y);
            case "<=" -> truth(x <= y);
            case ">" -> truth(x > y);
            case ">=" -> truth(x >= y);
            case "==" -> truth(x == y);
            case "!=" -> truth(x != y);
            default ->
                    throw new CheckException(
                            at, "'" + operator + "' does not apply to floating-point numbers");
        };
    }

    private static Constant truth(boolean value) {
        return new Constant.Whole(value ? 1 : 0, false);
    }
}
