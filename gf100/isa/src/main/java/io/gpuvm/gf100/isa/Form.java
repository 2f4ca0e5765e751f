package io.gpuvm.gf100.isa;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Encoding of an operation: an entry of the instruction table. Immutable.
///
/// Forms of an operation differ in the source of their operands ([#kindB], [#kindC]) or in their
/// other fields.
public final class Form {
    private static final int CODE_TRUE = ConditionCode.T.ordinal();
    private static final int CONDITION_CODES = ConditionCode.values().length;
    private static final int PREDICATE_TRUE = 7;

    private final Opcode opcode;
    private final Pattern pattern;
    private final String text;
    private final FieldLayout[] layouts = new FieldLayout[Field.values().length];
    private final OperandKind kindB;
    private final OperandKind kindC;
    private final boolean relative;
    private final List<Modifier> modifiers;
    private final List<Operand> operands;

    /// Modifiers of the mnemonic and of the operands whose fields this form has; [#accepts] checks
    /// them for reserved values.
    private final Modifier[] checked;

    /// Fields that represent a [ConditionCode].
    private final Field[] conditions;

    Form(
            String text,
            Opcode opcode,
            Pattern pattern,
            Map<Field, Integer> constants,
            Syntax syntax,
            boolean relative) {
        this.text = text;
        this.opcode = opcode;
        this.pattern = pattern;
        this.relative = relative;
        pattern.layouts().forEach((field, layout) -> layouts[field.ordinal()] = layout);
        constants.forEach((field, value) -> layouts[field.ordinal()] = FieldLayout.constant(value));
        kindB = kind(Field.SRC_B, Field.B_OFFSET);
        kindC = kind(Field.SRC_C, Field.C_OFFSET);
        modifiers = syntax.modifiers(this);
        operands = syntax.operands(this);
        checked =
                Stream.concat(modifiers.stream(), operands.stream().flatMap(Form::suffixes))
                        .filter(modifier -> modifier.fields().stream().allMatch(this::has))
                        .toArray(Modifier[]::new);
        conditions =
                operands.stream()
                        .filter(Operand.Condition.class::isInstance)
                        .map(operand -> ((Operand.Condition) operand).test())
                        .toArray(Field[]::new);
    }

    private static Stream<Modifier> suffixes(Operand operand) {
        return switch (operand) {
            case Operand.Register(var _, var _, var suffixes) -> suffixes.stream();
            case Operand.Constant(var _, var _, var _, var suffixes) -> suffixes.stream();
            case Operand.Immediate(var _, var _, var suffixes) -> suffixes.stream();
            default -> Stream.empty();
        };
    }

    private OperandKind kind(Field register, Field offset) {
        if (has(register)) {
            return OperandKind.REGISTER;
        }
        if (has(offset)) {
            return OperandKind.CONSTANT;
        }
        return register == Field.SRC_B && has(Field.IMMEDIATE)
                ? OperandKind.IMMEDIATE
                : OperandKind.NONE;
    }

    public Opcode opcode() {
        return opcode;
    }

    /// Returns the source of the second operand: [Field#SRC_B], [Field#B_BANK] with
    /// [Field#B_OFFSET], or [Field#IMMEDIATE].
    public OperandKind kindB() {
        return kindB;
    }

    /// Returns the source of the third operand: [Field#SRC_C], or [Field#C_BANK] with
    /// [Field#C_OFFSET].
    public OperandKind kindC() {
        return kindC;
    }

    /// Returns whether [Field#TARGET], or the sum that is the branch target, is relative to the end
    /// of the instruction.
    public boolean relative() {
        return relative;
    }

    /// Returns the mask of the bits that are the same in all words of this form; [#value] contains
    /// the values of these bits.
    public long mask() {
        return pattern.mask();
    }

    public long value() {
        return pattern.value();
    }

    /// Returns whether the form has the field, including constant fields.
    public boolean has(Field field) {
        return layouts[field.ordinal()] != null;
    }

    /// Returns whether the field has the same value in all words of the form.
    public boolean isConstant(Field field) {
        return has(field) && layout(field).isConstant();
    }

    /// Returns the field's value in a word of this form.
    ///
    /// @throws IllegalArgumentException if the form does not have the field
    public int get(Field field, long word) {
        return layout(field).get(word);
    }

    /// Returns the field's value in a word of this form, or `otherwise` if the form does not have
    /// the field.
    public int get(Field field, long word, int otherwise) {
        FieldLayout layout = layouts[field.ordinal()];
        return layout == null ? otherwise : layout.get(word);
    }

    /// Returns whether a flag is set; false if the form does not have the flag.
    public boolean is(Field flag, long word) {
        return get(flag, word, 0) != 0;
    }

    /// Returns whether the field can hold the value.
    public boolean fits(Field field, int value) {
        return has(field) && layout(field).fits(value);
    }

    /// Returns the word with a field changed.
    ///
    /// @throws IllegalArgumentException if the form does not have the field, or if the field cannot
    ///   have the value
    public long set(Field field, int value, long word) {
        FieldLayout layout = layout(field);
        if (!layout.fits(value)) {
            throw new IllegalArgumentException(
                    field + "=" + value + ", expected a value of the form " + text);
        }
        return layout.set(value, word);
    }

    /// Returns the initial word: registers are 0, guards are true, and modifiers have the value
    /// that is not printed, or 0 if every value is printed.
    public long template() {
        long word = pattern.value() | pattern.ignoredValue();
        for (Modifier modifier : modifiers) {
            int index = modifier.defaultIndex();
            if (index >= 0 && modifier.allows(this, index)) {
                word = modifier.set(this, index, word);
            }
        }
        if (fits(Field.PREDICATE, PREDICATE_TRUE)) {
            word = set(Field.PREDICATE, PREDICATE_TRUE, word);
        }
        if (fits(Field.CONDITION, CODE_TRUE)) {
            word = set(Field.CONDITION, CODE_TRUE, word);
        }
        return word;
    }

    /// Returns whether the word is an instruction of this form: the fixed bits match, and no field
    /// has a reserved value.
    public boolean accepts(long word) {
        if ((word & mask()) != value()) {
            return false;
        }
        for (Modifier modifier : checked) {
            if (modifier.name(this, word) == null) {
                return false;
            }
        }
        for (Field condition : conditions) {
            if (get(condition, word) >= CONDITION_CODES) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether the bits that the hardware ignores have the assembler's values, so that the
    /// text represents the word completely.
    public boolean isCanonical(long word) {
        return (word & pattern.ignored()) == pattern.ignoredValue();
    }

    /// Returns the modifiers of the mnemonic, in the order of the text.
    public List<Modifier> modifiers() {
        return modifiers;
    }

    /// Returns the operands, in the order of the text.
    public List<Operand> operands() {
        return operands;
    }

    /// Returns all fields that the form has, including constants.
    public Set<Field> fields() {
        Map<Field, Boolean> fields = new EnumMap<>(Field.class);
        for (Field field : Field.values()) {
            if (has(field)) {
                fields.put(field, true);
            }
        }
        return fields.keySet();
    }

    /// Returns the number of bits of a field: 0 for constants.
    public int width(Field field) {
        return layout(field).width();
    }

    /// Returns the syntax and the pattern, which identify the form in messages.
    @Override
    public String toString() {
        return text;
    }

    private FieldLayout layout(Field field) {
        FieldLayout layout = layouts[field.ordinal()];
        if (layout == null) {
            throw new IllegalArgumentException(
                    "field=" + field + ", expected a field of the form " + text);
        }
        return layout;
    }
}
