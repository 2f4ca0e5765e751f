package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Adds instructions to a block. Operations on numbers alone are computed at once. Operands may be
/// numbers and constants where the machine has no such encoding; [Legalizer] moves these to
/// registers.
final class Code {
    private static final int SIGN = 1 << Integer.SIZE - 1;

    private final Function function;
    private Block block;
    private int line;
    private Value guard;
    private boolean guardInverted;

    Code(Function function) {
        this.function = function;
    }

    Function function() {
        return function;
    }

    Block block() {
        return block;
    }

    void block(Block next) {
        block = next;
    }

    void line(int number) {
        line = number;
    }

    /// Sets the guard of [#effect(Instruction)], or none if the predicate is null.
    void guard(Value predicate, boolean inverted) {
        guard = predicate;
        guardInverted = inverted;
    }

    static IrOperand.Literal literal(int bits) {
        return bits == 0 ? IrOperand.Literal.ZERO : new IrOperand.Literal(bits);
    }

    static boolean isLiteral(IrOperand operand) {
        return operand instanceof IrOperand.Literal;
    }

    static int bits(IrOperand operand) {
        return ((IrOperand.Literal) operand).bits();
    }

    static boolean is(IrOperand operand, int bits) {
        return operand instanceof IrOperand.Literal(int known) && known == bits;
    }

    static IrInstruction make(Opcode opcode, Modifiers modifiers) {
        return IrInstruction.of(opcode, modifiers);
    }

    static IrInstruction make(Opcode opcode) {
        return IrInstruction.of(opcode, Modifiers.NONE);
    }

    /// Adds an instruction without an effect other than its results.
    IrInstruction add(IrInstruction instruction) {
        instruction.line(line);
        block.add(instruction);
        return instruction;
    }

    /// Adds an instruction that only some threads execute if a guard is set.
    IrInstruction effect(IrInstruction instruction) {
        if (guard != null) {
            instruction.use(Slot.GUARD, guard, guardInverted);
        }
        return add(instruction);
    }

    /// Adds an instruction with a result of one word.
    Value word(IrInstruction instruction) {
        Value result = function.word();
        add(instruction.define(result));
        return result;
    }

    /// Adds an instruction with a result of two words, and returns the words.
    Wide pair(IrInstruction instruction) {
        Value result = function.wide(2);
        add(instruction.define(result));
        return words(result);
    }

    /// Returns the two words of a value.
    Wide words(Value wide) {
        return new Wide(extract(wide, 0), extract(wide, 1));
    }

    Value extract(Value wide, int index) {
        IrInstruction extract = IrInstruction.of(Pseudo.EXTRACT).use(Slot.PART, wide).index(index);
        return word(extract);
    }

    Value predicate(IrInstruction instruction) {
        Value result = function.predicate();
        add(instruction.define(result));
        return result;
    }

    /// Returns words as one value: for addresses, doubles and wide accesses.
    Value combine(IrOperand... parts) {
        if (parts.length == 1) {
            return value(parts[0]);
        }
        if (parts[0] instanceof Value first
                && first.definition() != null
                && first.definition().is(Pseudo.EXTRACT)) {
            Value whole = first.definition().uses().getFirst().value();
            boolean same = whole.words() == parts.length;
            for (int i = 0; i < parts.length && same; i++) {
                same =
                        parts[i] instanceof Value part
                                && !part.isFixed()
                                && part.definition().is(Pseudo.EXTRACT)
                                && part.definition().index() == i
                                && part.definition().uses().getFirst().operand() == whole;
            }
            if (same) {
                return whole;
            }
        }
        IrInstruction combine = IrInstruction.of(Pseudo.COMBINE);
        for (IrOperand part : parts) {
            combine.use(Slot.PART, isLiteral(part) ? part : value(part));
        }
        Value result = function.wide(parts.length);
        add(combine.define(result));
        return result;
    }

    Value combine(Wide wide) {
        return combine(wide.low(), wide.high());
    }

    /// Returns an operand in a register.
    Value value(IrOperand operand) {
        return operand instanceof Value value ? value : word(make(Opcode.MOV).use(Slot.B, operand));
    }

    /// Returns a predicate in a register; a number is true if it is not 0.
    Value truth(IrOperand operand, boolean inverted) {
        return operand instanceof Value value && !inverted
                ? value
                : predicate(make(Opcode.PSETP).use(Slot.PA, operand, inverted));
    }

    Value special(SpecialRegister register) {
        return word(make(Opcode.S2R, Modifiers.of(Field.SPECIAL_REGISTER, register.code())));
    }

    // Sums.

    IrOperand sum(IrOperand a, IrOperand b) {
        if (is(a, 0)) {
            return b;
        }
        if (is(b, 0)) {
            return a;
        }
        if (isLiteral(a) && isLiteral(b)) {
            return literal(bits(a) + bits(b));
        }
        return word(sumOf(a, b, Modifiers.NONE));
    }

    private static IrInstruction sumOf(IrOperand a, IrOperand b, Modifiers modifiers) {
        boolean swap = !(a instanceof Value);
        return make(Opcode.IADD, modifiers).use(Slot.A, swap ? b : a).use(Slot.B, swap ? a : b);
    }

    IrOperand difference(IrOperand a, IrOperand b) {
        if (isLiteral(b)) {
            return sum(a, literal(-bits(b)));
        }
        return word(differenceOf(a, b, Modifiers.NONE));
    }

    private static IrInstruction differenceOf(IrOperand a, IrOperand b, Modifiers modifiers) {
        return a instanceof Value || Code.is(a, 0)
                ? make(Opcode.IADD, modifiers.with(Field.NEGATE_B, 1)).use(Slot.A, a).use(Slot.B, b)
                : make(Opcode.IADD, modifiers.with(Field.NEGATE_A, 1))
                        .use(Slot.A, b)
                        .use(Slot.B, a);
    }

    /// Returns a sum or difference with saturation to 32 signed bits.
    IrOperand saturated(IrOperand a, IrOperand b, boolean subtract) {
        Modifiers saturate = Modifiers.of(Field.SATURATE, 1);
        return word(subtract ? differenceOf(a, b, saturate) : sumOf(a, b, saturate));
    }

    /// Adds a sum or difference that uses and sets the carry.
    ///
    /// @param carry carry of the lower words, or null
    /// @param out receives the carry of the sum, or null
    Value carried(IrOperand a, IrOperand b, boolean subtract, Value carry, Value out) {
        IrInstruction sum =
                subtract ? differenceOf(a, b, Modifiers.NONE) : sumOf(a, b, Modifiers.NONE);
        return carried(sum, carry, out);
    }

    Value carried(IrInstruction sum, Value carry, Value out) {
        Value result = function.word();
        sum.define(result);
        if (carry != null) {
            sum.use(Slot.CARRY, carry);
        }
        if (out != null) {
            sum.define(out);
        }
        add(sum);
        return result;
    }

    Wide sum(Wide a, Wide b) {
        if (a.isLiteral() && b.isLiteral()) {
            return Wide.of(a.bits() + b.bits());
        }
        if (b.isLiteral() && b.bits() == 0) {
            return a;
        }
        if (a.isLiteral() && a.bits() == 0) {
            return b;
        }
        if (is(b.low(), 0)) {
            return new Wide(a.low(), sum(a.high(), b.high()));
        }
        Value carry = function.carry();
        Value low = carried(a.low(), b.low(), false, null, carry);
        return new Wide(low, carried(a.high(), b.high(), false, carry, null));
    }

    Wide difference(Wide a, Wide b) {
        if (b.isLiteral()) {
            return sum(a, Wide.of(-b.bits()));
        }
        Value carry = function.carry();
        Value low = carried(a.low(), b.low(), true, null, carry);
        return new Wide(low, carried(a.high(), b.high(), true, carry, null));
    }

    // Products.

    /// Returns a word of a product of two words.
    IrOperand product(IrOperand a, IrOperand b, boolean high, boolean signed) {
        if (isLiteral(a) && isLiteral(b)) {
            long wide =
                    signed
                            ? (long) bits(a) * bits(b)
                            : Integer.toUnsignedLong(bits(a)) * Integer.toUnsignedLong(bits(b));
            return literal((int) (high ? wide >>> Integer.SIZE : wide));
        }
        if (is(a, 0) || is(b, 0)) {
            return IrOperand.Literal.ZERO;
        }
        if (!high) {
            IrOperand factor = isLiteral(a) ? a : b;
            if (isLiteral(factor) && Integer.bitCount(bits(factor)) == 1) {
                IrOperand other = factor == a ? b : a;
                return shiftLeft(other, literal(Integer.numberOfTrailingZeros(bits(factor))));
            }
        }
        boolean swap = !(a instanceof Value);
        return word(
                make(Opcode.IMUL, factors(high, signed))
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b));
    }

    static Modifiers factors(boolean high, boolean signed) {
        return Modifiers.NONE
                .with(Field.HIGH, high)
                .with(Field.SIGNED_A, signed)
                .with(Field.SIGNED_B, signed);
    }

    static IrInstruction productSum(
            IrOperand a, IrOperand b, IrOperand c, boolean high, boolean signed) {
        boolean swap = !(a instanceof Value);
        return make(Opcode.IMAD, factors(high, signed))
                .use(Slot.A, swap ? b : a)
                .use(Slot.B, swap ? a : b)
                .use(Slot.C, c);
    }

    IrOperand productSum(IrOperand a, IrOperand b, IrOperand c) {
        if (isLiteral(a) && isLiteral(b) || is(c, 0)) {
            return sum(product(a, b, false, false), c);
        }
        if (is(a, 0) || is(b, 0)) {
            return c;
        }
        return word(productSum(a, b, c, false, false));
    }

    // Bits.

    IrOperand logic(LogicOp op, IrOperand a, IrOperand b) {
        if (isLiteral(a) && isLiteral(b)) {
            return literal(
                    switch (op) {
                        case AND -> bits(a) & bits(b);
                        case OR -> bits(a) | bits(b);
                        case XOR -> bits(a) ^ bits(b);
                        case PASS_B -> bits(b);
                    });
        }
        IrOperand number = isLiteral(a) ? a : b;
        IrOperand other = isLiteral(a) ? b : a;
        if (op == LogicOp.AND && is(number, 0)) {
            return number;
        }
        if (op == LogicOp.AND && is(number, -1) || op != LogicOp.AND && is(number, 0)) {
            return other;
        }
        boolean swap = !(a instanceof Value);
        return word(
                make(Opcode.LOP, Modifiers.NONE.with(Field.LOGIC_INNER, op))
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b));
    }

    IrOperand and(IrOperand a, IrOperand b) {
        return logic(LogicOp.AND, a, b);
    }

    IrOperand or(IrOperand a, IrOperand b) {
        return logic(LogicOp.OR, a, b);
    }

    IrOperand exclusiveOr(IrOperand a, IrOperand b) {
        return logic(LogicOp.XOR, a, b);
    }

    IrOperand not(IrOperand a) {
        if (isLiteral(a)) {
            return literal(~bits(a));
        }
        Modifiers modifiers =
                Modifiers.NONE.with(Field.LOGIC_INNER, LogicOp.PASS_B).with(Field.INVERT_B, 1);
        return word(make(Opcode.LOP, modifiers).use(Slot.A, IrOperand.Literal.ZERO).use(Slot.B, a));
    }

    /// Shifts left; a count above 31 shifts all bits out.
    IrOperand shiftLeft(IrOperand a, IrOperand count) {
        if (isLiteral(count)) {
            int known = bits(count);
            if (known >>> 5 != 0) {
                return IrOperand.Literal.ZERO;
            }
            if (known == 0 || isLiteral(a)) {
                return known == 0 ? a : literal(bits(a) << known);
            }
        }
        return word(make(Opcode.SHL).use(Slot.A, a).use(Slot.B, count));
    }

    /// Shifts right; a count above 31 shifts all bits out.
    IrOperand shiftRight(IrOperand a, IrOperand count, boolean signed) {
        if (isLiteral(count)) {
            int known = bits(count);
            if (known == 0) {
                return a;
            }
            if (known >>> 5 != 0) {
                return signed ? shiftRight(a, literal(31), true) : IrOperand.Literal.ZERO;
            }
            if (isLiteral(a)) {
                return literal(signed ? bits(a) >> known : bits(a) >>> known);
            }
        }
        return word(
                make(Opcode.SHR, Modifiers.NONE.with(Field.SIGNED, signed))
                        .use(Slot.A, a)
                        .use(Slot.B, count));
    }

    /// Returns bits of a word, extended.
    IrOperand field(IrOperand a, int first, int length, boolean signed) {
        if (length == Integer.SIZE && first == 0) {
            return a;
        }
        if (isLiteral(a)) {
            int upper = bits(a) << Integer.SIZE - first - length;
            int unused = Integer.SIZE - length;
            return literal(signed ? upper >> unused : upper >>> unused);
        }
        if (!signed && first == 0) {
            return and(a, literal((1 << length) - 1));
        }
        return word(
                make(Opcode.BFE, Modifiers.NONE.with(Field.SIGNED, signed))
                        .use(Slot.A, a)
                        .use(Slot.B, literal(first | length << Byte.SIZE)));
    }

    /// Extends the lower bits of a word to 32 bits.
    IrOperand extend(IrOperand a, int bits, boolean signed) {
        return bits >= Integer.SIZE ? a : field(a, 0, bits, signed);
    }

    /// Returns the word above a word that is extended to 64 bits.
    IrOperand signOf(IrOperand a, boolean signed) {
        return signed ? shiftRight(a, literal(31), true) : IrOperand.Literal.ZERO;
    }

    Wide extend(IrOperand a, boolean signed) {
        return new Wide(a, signOf(a, signed));
    }

    // Comparisons and selections.

    /// Compares words.
    Value compare(Comparison comparison, IrOperand a, IrOperand b, boolean signed) {
        return predicate(comparison(comparison, a, b, signed));
    }

    static IrInstruction comparison(
            Comparison comparison, IrOperand a, IrOperand b, boolean signed) {
        boolean swap = !(a instanceof Value) && b instanceof Value;
        Comparison used = swap ? swapped(comparison) : comparison;
        return make(
                        Opcode.ISETP,
                        Modifiers.NONE.with(Field.COMPARISON, used).with(Field.SIGNED, signed))
                .use(Slot.A, swap ? b : a)
                .use(Slot.B, swap ? a : b);
    }

    /// Returns the comparison of the operands in the other order.
    static Comparison swapped(Comparison comparison) {
        return switch (comparison) {
            case LT -> Comparison.GT;
            case LE -> Comparison.GE;
            case GT -> Comparison.LT;
            case GE -> Comparison.LE;
            case LTU -> Comparison.GTU;
            case LEU -> Comparison.GEU;
            case GTU -> Comparison.LTU;
            case GEU -> Comparison.LEU;
            default -> comparison;
        };
    }

    /// Returns the comparison of numbers of 64 bits, without its result.
    IrInstruction comparison(Comparison comparison, Wide a, Wide b, boolean signed) {
        Value carry = function.carry();
        carried(a.low(), b.low(), true, null, carry);
        // The upper words are not swapped: the carry is that of the difference in this order.
        return make(
                        Opcode.ISETP,
                        Modifiers.NONE
                                .with(Field.COMPARISON, comparison)
                                .with(Field.SIGNED, signed))
                .use(Slot.A, a.high() instanceof Value ? a.high() : late(a.high()))
                .use(Slot.B, b.high())
                .use(Slot.CARRY, carry);
    }

    /// Returns an operand in a register; unlike a sum, the move does not set the carry.
    private IrOperand late(IrOperand operand) {
        return is(operand, 0) ? operand : value(operand);
    }

    Value compare(Comparison comparison, Wide a, Wide b, boolean signed) {
        return predicate(comparison(comparison, a, b, signed));
    }

    /// Returns `a` if the predicate is true, otherwise `b`.
    IrOperand select(IrOperand predicate, boolean inverted, IrOperand a, IrOperand b) {
        if (a.equals(b)) {
            return a;
        }
        if (predicate instanceof IrOperand.Literal(int truth)) {
            return truth != 0 ^ inverted ? a : b;
        }
        boolean swap = !(a instanceof Value) && (b instanceof Value || is(b, 0));
        return word(
                make(Opcode.SEL)
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b)
                        .use(Slot.P, predicate, inverted ^ swap));
    }

    IrOperand select(Value predicate, IrOperand a, IrOperand b) {
        return select(predicate, false, a, b);
    }

    Wide select(Value predicate, Wide a, Wide b) {
        return select(predicate, false, a, b);
    }

    Wide select(IrOperand predicate, boolean inverted, Wide a, Wide b) {
        return new Wide(
                select(predicate, inverted, a.low(), b.low()),
                select(predicate, inverted, a.high(), b.high()));
    }

    IrOperand minimum(IrOperand a, IrOperand b, boolean signed, boolean greater) {
        boolean swap = !(a instanceof Value);
        return word(
                make(Opcode.IMNMX, Modifiers.NONE.with(Field.SIGNED, signed))
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b)
                        .use(Slot.P, IrOperand.Literal.ZERO, !greater));
    }

    Wide minimum(Wide a, Wide b, boolean signed, boolean greater) {
        return select(compare(greater ? Comparison.GT : Comparison.LT, a, b, signed), a, b);
    }

    IrOperand negated(IrOperand a) {
        return difference(IrOperand.Literal.ZERO, a);
    }

    Wide negated(Wide a) {
        return difference(Wide.ZERO, a);
    }

    // Shifts of 64 bits.

    Wide shiftLeft(Wide a, IrOperand count) {
        if (isLiteral(count)) {
            int known = bits(count);
            if (Integer.compareUnsigned(known, Long.SIZE) >= 0) {
                return Wide.ZERO;
            }
            if (known == 0) {
                return a;
            }
            if (known >= Integer.SIZE) {
                return new Wide(
                        IrOperand.Literal.ZERO, shiftLeft(a.low(), literal(known - Integer.SIZE)));
            }
            int rest = Integer.SIZE - known;
            if (isSignOf(a.high(), a.low())) {
                return new Wide(
                        shiftLeft(a.low(), count), shiftRight(a.low(), literal(rest), true));
            }
            IrOperand moved = shiftRight(a.low(), literal(rest), false);
            return new Wide(shiftLeft(a.low(), count), or(shiftLeft(a.high(), count), moved));
        }
        IrOperand rest = difference(literal(Integer.SIZE), count);
        IrOperand beyond = sum(count, literal(-Integer.SIZE));
        IrOperand high =
                or(
                        or(shiftLeft(a.high(), count), shiftRight(a.low(), rest, false)),
                        shiftLeft(a.low(), beyond));
        return new Wide(shiftLeft(a.low(), count), high);
    }

    /// Returns whether a word has the sign of another in all bits, as in an extended number.
    private static boolean isSignOf(IrOperand high, IrOperand low) {
        return high instanceof Value value
                && !value.isFixed()
                && value.definition().is(Opcode.SHR)
                && value.definition().find(Slot.GUARD) == null
                && value.definition().modifiers().equals(Modifiers.of(Field.SIGNED, 1))
                && value.definition().operand(Slot.A) == low
                && is(value.definition().operand(Slot.B), Integer.SIZE - 1);
    }

    Wide shiftRight(Wide a, IrOperand count, boolean signed) {
        if (isLiteral(count)) {
            int known = bits(count);
            if (known == 0) {
                return a;
            }
            if (Integer.compareUnsigned(known, Long.SIZE) >= 0) {
                IrOperand sign = signOf(a.high(), signed);
                return new Wide(sign, sign);
            }
            if (known >= Integer.SIZE) {
                return new Wide(
                        shiftRight(a.high(), literal(known - Integer.SIZE), signed),
                        signOf(a.high(), signed));
            }
            IrOperand moved = shiftLeft(a.high(), literal(Integer.SIZE - known));
            return new Wide(
                    or(shiftRight(a.low(), count, false), moved),
                    shiftRight(a.high(), count, signed));
        }
        IrOperand rest = difference(literal(Integer.SIZE), count);
        IrOperand beyond = sum(count, literal(-Integer.SIZE));
        IrOperand low = or(shiftRight(a.low(), count, false), shiftLeft(a.high(), rest));
        IrOperand far = shiftRight(a.high(), beyond, signed);
        Value isNear = compare(Comparison.LT, count, literal(Integer.SIZE), false);
        return new Wide(select(isNear, low, far), shiftRight(a.high(), count, signed));
    }

    // Products of 64 bits.

    Wide productLow(Wide a, Wide b) {
        IrOperand low = product(a.low(), b.low(), false, false);
        IrOperand high = product(a.low(), b.low(), true, false);
        high = productSum(a.low(), b.high(), high);
        return new Wide(low, productSum(a.high(), b.low(), high));
    }

    Wide productWide(IrOperand a, IrOperand b, boolean signed) {
        return new Wide(product(a, b, false, signed), product(a, b, true, signed));
    }

    /// Returns the upper 64 bits of a product.
    Wide productHigh(Wide a, Wide b, boolean signed) {
        IrOperand carryWord = product(a.low(), b.low(), true, false);
        Value carry = function.carry();
        Value x0 = carried(productSum(a.low(), b.high(), carryWord, false, false), null, carry);
        Value x1 =
                carried(
                        productSum(a.low(), b.high(), IrOperand.Literal.ZERO, true, false),
                        carry,
                        null);
        carry = function.carry();
        carried(productSum(a.high(), b.low(), x0, false, false), null, carry);
        Value carry2 = function.carry();
        Value y1 = carried(productSum(a.high(), b.low(), x1, true, false), carry, carry2);
        Value top =
                carried(
                        make(Opcode.IADD)
                                .use(Slot.A, IrOperand.Literal.ZERO)
                                .use(Slot.B, IrOperand.Literal.ZERO),
                        carry2,
                        null);
        carry = function.carry();
        Value low = carried(productSum(a.high(), b.high(), y1, false, false), null, carry);
        Value high = carried(productSum(a.high(), b.high(), top, true, false), carry, null);
        Wide unsigned = new Wide(low, high);
        if (!signed) {
            return unsigned;
        }
        IrOperand signA = signOf(a.high(), true);
        IrOperand signB = signOf(b.high(), true);
        Wide first = new Wide(and(b.low(), signA), and(b.high(), signA));
        Wide second = new Wide(and(a.low(), signB), and(a.high(), signB));
        return difference(difference(unsigned, first), second);
    }

    // Floats and doubles.

    Value wide(IrInstruction instruction) {
        Value result = function.wide(2);
        add(instruction.define(result));
        return result;
    }

    /// Returns a double with the sign changed.
    Wide negatedDouble(Wide a) {
        return new Wide(a.low(), exclusiveOr(a.high(), literal(SIGN)));
    }

    Wide absoluteDouble(Wide a) {
        return new Wide(a.low(), and(a.high(), literal(~SIGN)));
    }
}
