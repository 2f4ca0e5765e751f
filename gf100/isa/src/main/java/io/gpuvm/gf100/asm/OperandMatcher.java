package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.ConditionCode;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Modifier;
import io.gpuvm.gf100.isa.Operand;
import io.gpuvm.gf100.isa.SpecialRegister;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Writes an argument into the fields of an operand.
final class OperandMatcher {
    private static final Pattern NUMBERED_SPECIAL = Pattern.compile("SR[0-9]{1,3}");
    private static final int SPECIAL_REGISTERS = 256;

    private static final Operand.Memory INDEXED = new Operand.Memory(Field.SRC_A, Field.OFFSET);

    private final int address;
    private final Function<String, Value> names;
    private final Mismatch mismatch;

    /// @param address bytes from the start of the code to the instruction
    /// @param names function that returns the value of a name, or null if the name is undefined
    OperandMatcher(int address, Function<String, Value> names, Mismatch mismatch) {
        this.address = address;
        this.names = names;
        this.mismatch = mismatch;
    }

    /// Returns the encoding with the operand, or null if the operand does not match.
    Encoding match(Operand operand, Argument argument, Encoding encoding) {
        Encoding result =
                switch (operand) {
                    case Operand.Register to when argument instanceof Argument.Register from ->
                            register(to, from, encoding);
                    case Operand.Predicate to when argument instanceof Argument.Predicate from ->
                            predicate(to, from, encoding);
                    case Operand.Constant to when argument instanceof Argument.Constant from ->
                            constant(to, from, encoding);
                    case Operand.IndexedConstant _
                            when argument instanceof Argument.Constant from ->
                            indexed(from, encoding);
                    case Operand.Memory to when argument instanceof Argument.Memory from ->
                            memory(to, from.token(), from.register(), from.offset(), encoding);
                    case Operand.Immediate to when argument instanceof Argument.Number from ->
                            immediate(to, from, encoding);
                    case Operand.Number(var field) when argument instanceof Argument.Number from ->
                            number(field, from, encoding);
                    case Operand.Target _ when argument instanceof Argument.Number from ->
                            target(from, encoding);
                    case Operand.Special _ when argument instanceof Argument.Special from ->
                            special(from, encoding);
                    case Operand.Dimension _ when argument instanceof Argument.Dimension ->
                            encoding;
                    case Operand.Condition to when argument instanceof Argument.Condition from ->
                            condition(to, from, encoding);
                    default -> null;
                };
        return result != null
                ? result
                : mismatch.at(argument.token(), () -> describe(operand, encoding.form()));
    }

    /// Returns a description of an operand's valid values, for messages.
    String describe(Operand operand, Form form) {
        return switch (operand) {
            case Operand.Register _ -> "a register (R0..R62, RZ)";
            case Operand.Predicate _ -> "a predicate (P0..P6, PT)";
            case Operand.Constant _ -> "a constant (c[bank][offset])";
            case Operand.IndexedConstant _ -> "a constant (c[bank][register + offset])";
            case Operand.Memory _ -> "an address ([register + offset])";
            case Operand.Immediate to -> describe(to, form);
            case Operand.Number(var field) -> "a number of " + form.width(field) + " bits";
            case Operand.Target _ -> "a label";
            case Operand.Special _ -> "a special register (SR_TID.X)";
            case Operand.Dimension _ -> "the shape 1D";
            case Operand.Condition _ -> "a condition (CC.NE)";
        };
    }

    private static String describe(Operand.Immediate operand, Form form) {
        int bits = form.width(Field.IMMEDIATE);
        return switch (operand.style()) {
            case INTEGER -> "a number of " + bits + " bits";
            case FLOAT -> "a float (upper " + bits + " bits)";
            case DOUBLE -> "a double (upper " + bits + " bits)";
        };
    }

    private Encoding register(Operand.Register to, Argument.Register from, Encoding encoding) {
        Encoding signed = signs(to.signs(), from.signs(), from.token(), encoding);
        if (signed == null) {
            return null;
        }
        Encoding result = signed.with(to.number(), from.number(), from.token());
        return suffixes(to.suffixes(), from.signs(), from.token(), result);
    }

    private Encoding predicate(Operand.Predicate to, Argument.Predicate from, Encoding encoding) {
        if (!encoding.fits(to.number(), from.number()) || from.not() && to.not() == null) {
            return null;
        }
        Encoding result = encoding.with(to.number(), from.number(), from.token());
        return to.not() == null ? result : result.with(to.not(), from.not() ? 1 : 0, from.token());
    }

    private Encoding constant(Operand.Constant to, Argument.Constant from, Encoding encoding) {
        if (from.register() != ReservedNames.ZERO_REGISTER) {
            return null;
        }
        Encoding signed = signs(to.signs(), from.signs(), from.token(), encoding);
        if (signed == null) {
            return null;
        }
        Value offset = from.offset().evaluate(names);
        Encoding result = put(to.bank(), bank(from, offset), from.token(), signed);
        result = result == null ? null : put(to.offset(), offset, from.offset().token(), result);
        return result == null ? null : suffixes(to.suffixes(), from.signs(), from.token(), result);
    }

    private Encoding indexed(Argument.Constant from, Encoding encoding) {
        Value bank = bank(from, from.offset().evaluate(names));
        Encoding result = put(Field.B_BANK, bank, from.token(), encoding);
        return result == null
                ? null
                : memory(INDEXED, from.token(), from.register(), from.offset(), result);
    }

    /// Returns the explicit bank, or the bank implied by the name of the constant.
    private Value bank(Argument.Constant from, Value offset) {
        if (from.bank() == null) {
            if (offset.bank() < 0) {
                throw SourceException.expected(from.offset().token(), "the name of a constant");
            }
            return Value.decimal(offset.bank());
        }
        Value bank = from.bank().evaluate(names);
        if (offset.bank() >= 0 && offset.bank() != bank.whole()) {
            throw new SourceException(
                    from.offset().token(),
                    "%s: bank=%d, expected=%d"
                            .formatted(
                                    from.offset().token().quoted(), bank.whole(), offset.bank()));
        }
        return bank;
    }

    private Encoding memory(
            Operand.Memory to, Token token, int register, Expression offset, Encoding encoding) {
        Encoding result = encoding;
        if (encoding.form().has(to.register())) {
            result = result.with(to.register(), register, token);
        } else if (register != ReservedNames.ZERO_REGISTER) {
            return null;
        }
        Value value = offset.evaluate(names);
        if (value.bank() >= 0 && !encoding.form().has(Field.B_BANK)) {
            throw new SourceException(
                    offset.token(),
                    offset.token().quoted() + ": name in a constant bank, expected c[...]");
        }
        return put(to.offset(), value, offset.token(), result);
    }

    private Encoding immediate(Operand.Immediate to, Argument.Number from, Encoding encoding) {
        Argument.Signs written = from.signs();
        boolean outside = from.negated() != null && to.signs().negate() != null;
        boolean negate = outside || written.negate();
        Argument.Signs signs =
                new Argument.Signs(negate, written.absolute(), written.invert(), written.suffix());
        Encoding signed = signs(to.signs(), signs, from.token(), encoding);
        if (signed == null) {
            return null;
        }
        Expression number = outside ? from.negated() : from.number();
        Value value = word(number);
        Integer bits = bits(to.style(), value);
        if (bits == null || !signed.fits(Field.IMMEDIATE, bits)) {
            return mismatch.at(number.token(), () -> describe(to, encoding.form()));
        }
        Encoding result = signed.with(Field.IMMEDIATE, bits, from.token());
        return suffixes(to.suffixes(), signs, from.token(), result);
    }

    /// Returns the immediate's 32 bits, or null if the field has too few bits.
    private static Integer bits(Operand.Style style, Value value) {
        return switch (style) {
            case INTEGER -> value.word();
            case FLOAT -> value.floatBits();
            case DOUBLE -> {
                if (value.kind() == Value.Kind.HEX) {
                    yield value.word();
                }
                long bits = value.doubleBits();
                yield (int) bits == 0 ? (Integer) (int) (bits >>> Integer.SIZE) : null;
            }
        };
    }

    private Encoding number(Field field, Argument.Number from, Encoding encoding) {
        return from.signs().equals(Argument.Signs.NONE)
                ? put(field, word(from.number()), from.token(), encoding)
                : null;
    }

    private Encoding target(Argument.Number from, Encoding encoding) {
        if (!from.signs().equals(Argument.Signs.NONE)) {
            return null;
        }
        Value value = word(from.number());
        if (value.isReal()) {
            return null;
        }
        long base = encoding.form().relative() ? address + InstructionTable.INSTRUCTION_BYTES : 0;
        return put(Field.TARGET, Value.hex((int) value.whole() - base), from.token(), encoding);
    }

    private static Encoding special(Argument.Special from, Encoding encoding) {
        if (NUMBERED_SPECIAL.matcher(from.name()).matches()) {
            int code = Integer.parseInt(from.name().substring(2));
            return code < SPECIAL_REGISTERS
                    ? encoding.with(Field.SPECIAL_REGISTER, code, from.token())
                    : null;
        }
        for (SpecialRegister register : SpecialRegister.values()) {
            if (register.text().equals(from.name())) {
                return encoding.with(Field.SPECIAL_REGISTER, register.code(), from.token());
            }
        }
        return null;
    }

    private static Encoding condition(
            Operand.Condition to, Argument.Condition from, Encoding encoding) {
        for (ConditionCode code : ConditionCode.values()) {
            if (code.name().equals(from.name())) {
                return encoding.with(to.test(), code.ordinal(), from.token());
            }
        }
        return null;
    }

    private Value word(Expression expression) {
        Value value = expression.evaluate(names);
        if (!value.fitsWord()) {
            throw SourceException.expected(expression.token(), "a number of 32 bits");
        }
        return value;
    }

    private static Encoding put(Field field, Value value, Token token, Encoding encoding) {
        boolean fits =
                !value.isReal() && value.fitsWord() && encoding.fits(field, (int) value.whole());
        return fits ? encoding.with(field, (int) value.whole(), token) : null;
    }

    private Encoding signs(Operand.Signs to, Argument.Signs from, Token token, Encoding encoding) {
        Encoding result = sign(to.negate(), from.negate(), "no '-' here", token, encoding);
        result = sign(to.absolute(), from.absolute(), "no '|' here", token, result);
        return sign(to.invert(), from.invert(), "no '~' here", token, result);
    }

    private Encoding sign(
            Field field, boolean set, String otherwise, Token token, Encoding encoding) {
        if (encoding == null) {
            return null;
        }
        if (field == null) {
            return set ? mismatch.at(token, () -> otherwise) : encoding;
        }
        int value = set ? 1 : 0;
        return encoding.fits(field, value)
                ? encoding.with(field, value, token)
                : mismatch.at(token, () -> set ? otherwise : "a sign");
    }

    private Encoding suffixes(
            List<Modifier> modifiers, Argument.Signs signs, Token token, Encoding encoding) {
        Token suffix = new Token(Token.Kind.NAME, signs.suffix(), token.line(), token.column());
        return new ModifierMatcher(mismatch).match(modifiers, suffix, 0, encoding);
    }
}
