package io.gpuvm.gf100.isa;

import java.util.List;
import java.util.Locale;

/// Converts instructions to text in the style of NVIDIA's `cuobjdump` for sm_20.
///
/// ```text
/// /*0008*/  @!P0 IADD R0.CC, R2, c[0xf][0x2a0];
/// ```
public final class Disassembler {
    private static final int ZERO_REGISTER = 63;
    private static final int TRUE_PREDICATE = 7;
    private static final int HEX = 16;
    private static final int LEAST_SHORT_IMMEDIATE = -1 << 19;

    private static final String LINEAR = "1D";

    private Disassembler() {}

    /// Returns the instruction without address and semicolon, or null if the word is not an
    /// instruction.
    ///
    /// @param codeOffset bytes from the start of the code segment to the word, for branch targets
    public static String text(long word, int codeOffset) {
        Form form = InstructionTable.find(word);
        return form == null ? null : text(form, word, codeOffset);
    }

    /// Returns the same text as [#text(long, int)], for a word whose form is known.
    public static String text(Form form, long word, int codeOffset) {
        StringBuilder text = new StringBuilder();
        guard(form, word, text);
        text.append(form.opcode());
        suffixes(form.modifiers(), form, word, text);
        String separator = " ";
        for (Operand operand : form.operands()) {
            int before = text.length();
            text.append(separator);
            int start = text.length();
            append(operand, form, word, codeOffset, text);
            if (text.length() == start) {
                text.setLength(before);
            } else {
                separator = ", ";
            }
        }
        return text.toString();
    }

    /// Returns a line of a listing. A word that is not an instruction, or that the text does not
    /// represent completely, is listed as `.word`.
    public static String line(long word, int codeOffset) {
        Form form = InstructionTable.find(word);
        String address = String.format(Locale.ROOT, "/*%04x*/  ", codeOffset);
        if (form == null) {
            return address + wordText(word) + ";";
        }
        String text = text(form, word, codeOffset);
        return form.isCanonical(word)
                ? address + text + ";"
                : address + wordText(word) + "; // " + text;
    }

    private static String wordText(long word) {
        return String.format(Locale.ROOT, ".word 0x%016x", word);
    }

    private static void guard(Form form, long word, StringBuilder text) {
        int predicate = form.get(Field.PREDICATE, word, TRUE_PREDICATE);
        boolean not = form.is(Field.PREDICATE_NOT, word);
        if (predicate != TRUE_PREDICATE || not) {
            text.append('@');
            predicate(predicate, not, text);
            text.append(' ');
        }
    }

    private static void suffixes(
            List<Modifier> modifiers, Form form, long word, StringBuilder text) {
        for (Modifier modifier : modifiers) {
            String name =
                    modifier.fields().stream().allMatch(form::has) ? modifier.name(form, word) : "";
            if (!name.isEmpty()) {
                text.append('.').append(name);
            }
        }
    }

    private static void append(
            Operand operand, Form form, long word, int codeOffset, StringBuilder text) {
        switch (operand) {
            case Operand.Register(var number, var signs, var suffixes) -> {
                int open = open(signs, form, word, text);
                register(form.get(number, word), text);
                close(open, text);
                suffixes(suffixes, form, word, text);
            }
            case Operand.Constant(var bank, var offset, var signs, var suffixes) -> {
                int open = open(signs, form, word, text);
                text.append("c[");
                hex(form.get(bank, word), text);
                text.append("][");
                hex(form.get(offset, word), text);
                text.append(']');
                close(open, text);
                suffixes(suffixes, form, word, text);
            }
            case Operand.Immediate(var style, var signs, var suffixes) -> {
                int open = open(signs, form, word, text);
                boolean bare = open == 0 && signs.negate() != null && form.is(signs.negate(), word);
                text.append(bare ? "(" : "");
                immediate(style, form.get(Field.IMMEDIATE, word), text);
                text.append(bare ? ")" : "");
                close(open, text);
                suffixes(suffixes, form, word, text);
            }
            case Operand.Predicate(var number, var not) ->
                    predicate(form.get(number, word), not != null && form.is(not, word), text);
            case Operand.Memory(var register, var offset) ->
                    memory(register, offset, form, word, text);
            case Operand.IndexedConstant() -> {
                text.append("c[");
                hex(form.get(Field.B_BANK, word), text);
                text.append(']');
                memory(Field.SRC_A, Field.OFFSET, form, word, text);
            }
            case Operand.Target() -> target(form, word, codeOffset, text);
            case Operand.Special() -> special(form.get(Field.SPECIAL_REGISTER, word), text);
            case Operand.Condition(var test, var optional) -> {
                ConditionCode code = ConditionCode.of(form.get(test, word));
                if (!optional || code != ConditionCode.T) {
                    text.append("CC.").append(code);
                }
            }
            case Operand.Dimension() -> text.append(LINEAR);
            case Operand.Number(var field) -> signedHex(form.get(field, word), text);
        }
    }

    /// Appends the signs; returns the number of open bars.
    private static int open(Operand.Signs signs, Form form, long word, StringBuilder text) {
        if (signs.invert() != null && form.is(signs.invert(), word)) {
            text.append('~');
        }
        if (signs.negate() != null && form.is(signs.negate(), word)) {
            text.append('-');
        }
        if (signs.absolute() != null && form.is(signs.absolute(), word)) {
            text.append('|');
            return 1;
        }
        return 0;
    }

    private static void close(int open, StringBuilder text) {
        if (open != 0) {
            text.append('|');
        }
    }

    private static void register(int number, StringBuilder text) {
        text.append('R');
        if (number == ZERO_REGISTER) {
            text.append('Z');
        } else {
            text.append(number);
        }
    }

    private static void predicate(int number, boolean not, StringBuilder text) {
        if (not) {
            text.append('!');
        }
        text.append('P');
        if (number == TRUE_PREDICATE) {
            text.append('T');
        } else {
            text.append(number);
        }
    }

    private static void hex(int number, StringBuilder text) {
        text.append("0x").append(Integer.toUnsignedString(number, HEX));
    }

    private static void signedHex(int number, StringBuilder text) {
        if (number < 0) {
            text.append('-');
        }
        hex(number < 0 ? -number : number, text);
    }

    /// Writes a value below the range of short immediates as bits, and any other value as a signed
    /// number.
    private static void integer(int value, StringBuilder text) {
        if (value >= LEAST_SHORT_IMMEDIATE) {
            signedHex(value, text);
        } else {
            hex(value, text);
        }
    }

    private static void immediate(Operand.Style style, int value, StringBuilder text) {
        switch (style) {
            case INTEGER -> integer(value, text);
            case FLOAT -> {
                float number = Float.intBitsToFloat(value);
                if (Float.isNaN(number)) {
                    hex(value, text);
                } else {
                    text.append(number);
                }
            }
            case DOUBLE -> {
                double number = Double.longBitsToDouble((long) value << Integer.SIZE);
                if (Double.isNaN(number)) {
                    hex(value, text);
                } else {
                    text.append(number);
                }
            }
        }
    }

    private static void memory(
            Field registerField, Field offsetField, Form form, long word, StringBuilder text) {
        int register = form.get(registerField, word, ZERO_REGISTER);
        int offset = form.get(offsetField, word);
        text.append('[');
        if (register == ZERO_REGISTER) {
            signedHex(offset, text);
        } else {
            register(register, text);
            if (offset > 0) {
                text.append('+');
            }
            if (offset != 0) {
                signedHex(offset, text);
            }
        }
        text.append(']');
    }

    private static void target(Form form, long word, int codeOffset, StringBuilder text) {
        int target = form.get(Field.TARGET, word);
        signedHex(
                form.relative() ? codeOffset + InstructionTable.INSTRUCTION_BYTES + target : target,
                text);
    }

    private static void special(int code, StringBuilder text) {
        SpecialRegister register = SpecialRegister.of(code);
        text.append(register == null ? "SR" + code : register.text());
    }
}
