package io.gpuvm.gf100.isa;

import java.util.ArrayList;
import java.util.List;

/// Text of a line of the table: `IADD.sat.x d.cc, a, b`.
///
/// The keys of modifiers ([Modifiers]) follow the operation, then operands by short names:
///
/// | Name | Operand |
/// |---|---|
/// | `d`, `a`, `b`, `c` | result and sources; the form selects the encoding of `b` and `c` |
/// | `data`, `swap` | registers of stores and atomics |
/// | `p`, `p2` | predicate results |
/// | `q`, `qa`, `qb` | predicate sources |
/// | `i`, `f` | 32-bit immediate, integer or float |
/// | `[]`, `c[]` | memory and indexed constants |
/// | `d2`, `[]2` | result and memory of the second of paired loads |
/// | `target`, `offset` | of a branch: an address; the number added to a register |
/// | `cc?`, `test` | condition code: omitted if true; condition of CSET |
/// | `tex`, `1d`, `comps` | of a texel: texture slot, number of coordinates, components |
/// | `sr`, `bar`, `threads`, `shift`, `code` | special register; small numbers or registers |
///
/// A suffix after a dot (`d.cc`, `b.byte`) is also a modifier.
final class Syntax {
    private final String[] mnemonic;
    private final String[] operandNames;
    private final Operand.Style style;

    /// @param style notation of immediates in place of the second operand
    Syntax(String text, Operand.Style style) {
        int space = text.indexOf(' ');
        String head = space < 0 ? text : text.substring(0, space);
        String tail = space < 0 ? "" : text.substring(space + 1).trim();
        mnemonic = head.split("\\.");
        operandNames = tail.isEmpty() ? new String[0] : tail.split(", *");
        this.style = style;
    }

    Opcode opcode() {
        return Opcode.valueOf(mnemonic[0]);
    }

    /// Returns the mnemonic's modifiers; `.S` is the last if the form has it.
    List<Modifier> modifiers(Form form) {
        List<Modifier> modifiers = new ArrayList<>();
        for (int i = 1; i < mnemonic.length; i++) {
            modifiers.add(Modifiers.named(mnemonic[i]));
        }
        if (form.has(Field.JOIN)) {
            modifiers.add(Modifiers.named("s"));
        }
        return List.copyOf(modifiers);
    }

    List<Operand> operands(Form form) {
        List<Operand> operands = new ArrayList<>();
        for (String name : operandNames) {
            String[] parts = name.split("\\.");
            List<Modifier> suffixes = new ArrayList<>();
            for (int i = 1; i < parts.length; i++) {
                suffixes.add(Modifiers.named(parts[i]));
            }
            operands.add(operand(parts[0], List.copyOf(suffixes), form));
        }
        return List.copyOf(operands);
    }

    private Operand operand(String name, List<Modifier> suffixes, Form form) {
        return switch (name) {
            case "d" -> new Operand.Register(Field.DST, Operand.Signs.NONE, suffixes);
            case "a" -> new Operand.Register(Field.SRC_A, signsA(form), suffixes);
            case "b" -> operandB(suffixes, form);
            case "c" -> operandC(suffixes, form);
            case "data" -> new Operand.Register(Field.DATA, Operand.Signs.NONE, suffixes);
            case "swap" -> new Operand.Register(Field.SWAP, Operand.Signs.NONE, suffixes);
            case "p" -> new Operand.Predicate(Field.PDST, null);
            case "p2" -> new Operand.Predicate(Field.PDST_2, null);
            case "q" -> new Operand.Predicate(Field.PSRC, Field.PSRC_NOT);
            case "qa" -> new Operand.Predicate(Field.PSRC_A, Field.PSRC_A_NOT);
            case "qb" -> new Operand.Predicate(Field.PSRC_B, Field.PSRC_B_NOT);
            case "i" -> new Operand.Immediate(Operand.Style.INTEGER, signsB(form), suffixes);
            case "f" -> new Operand.Immediate(Operand.Style.FLOAT, signsB(form), suffixes);
            case "d2" -> new Operand.Register(Field.DST_2, Operand.Signs.NONE, suffixes);
            case "[]" -> new Operand.Memory(Field.SRC_A, Field.OFFSET);
            case "[]2" -> new Operand.Memory(Field.ADDRESS_2, Field.OFFSET_2);
            case "c[]" -> new Operand.IndexedConstant();
            case "offset" -> new Operand.Number(Field.TARGET);
            case "target" -> new Operand.Target();
            case "sr" -> new Operand.Special();
            case "cc?" -> new Operand.Condition(Field.CONDITION, true);
            case "test" -> new Operand.Condition(Field.TEST, false);
            case "bar" -> numberOrRegister(Field.BARRIER, Field.BARRIER_REGISTER, form);
            case "threads" -> numberOrRegister(Field.THREADS, Field.THREADS_REGISTER, form);
            case "shift" -> new Operand.Number(Field.SHIFT);
            case "tex" -> new Operand.Number(Field.TEXTURE);
            case "1d" -> new Operand.Dimension();
            case "comps" -> new Operand.Number(Field.COMPONENTS);
            case "code" -> new Operand.Number(Field.CODE);
            default ->
                    throw new IllegalArgumentException(
                            "operand=" + name + ", expected a known operand");
        };
    }

    private Operand operandB(List<Modifier> suffixes, Form form) {
        Operand.Signs signs = signsB(form);
        return switch (form.kindB()) {
            case REGISTER -> new Operand.Register(Field.SRC_B, signs, suffixes);
            case CONSTANT -> new Operand.Constant(Field.B_BANK, Field.B_OFFSET, signs, suffixes);
            case IMMEDIATE -> new Operand.Immediate(style, signs, suffixes);
            case NONE ->
                    throw new IllegalArgumentException(
                            "form=" + form + ", expected a form with a second operand");
        };
    }

    private static Operand operandC(List<Modifier> suffixes, Form form) {
        Operand.Signs signs = new Operand.Signs(present(Field.NEGATE_C, form), null, null);
        return form.kindC() == OperandKind.CONSTANT
                ? new Operand.Constant(Field.C_BANK, Field.C_OFFSET, signs, suffixes)
                : new Operand.Register(Field.SRC_C, signs, suffixes);
    }

    private static Operand.Signs signsA(Form form) {
        Field negate = present(Field.NEGATE_PRODUCT, form);
        return new Operand.Signs(
                negate == null ? present(Field.NEGATE_A, form) : negate,
                present(Field.ABSOLUTE_A, form),
                present(Field.INVERT_A, form));
    }

    private static Operand.Signs signsB(Form form) {
        return new Operand.Signs(
                present(Field.NEGATE_B, form),
                present(Field.ABSOLUTE_B, form),
                present(Field.INVERT_B, form));
    }

    private static Operand numberOrRegister(Field number, Field register, Form form) {
        return form.has(number)
                ? new Operand.Number(number)
                : new Operand.Register(register, Operand.Signs.NONE, List.of());
    }

    private static Field present(Field field, Form form) {
        return form.has(field) ? field : null;
    }
}
