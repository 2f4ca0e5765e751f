package io.gpuvm.gf100.isa;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Collects the lines of a family of instructions, and expands each line into its forms.
///
/// [Pattern] defines the syntax of a line's pattern. In addition, the 22 bits 47:26 may be an area
/// in braces for an operand of several kinds; the line then expands to several forms:
///
/// | Area | Bits 47:46 | Operand | |
/// |---|---|---|---|
/// | `{b}` and `{bc}` | 00 | second is a register | |
/// | | 01 | second is a constant | |
/// | | 11 | second is an immediate of 20 bits | `{b=int}`, `{b=float}`, `{b=double}` select the interpretation |
/// | `{bc}` | 10 | third is a constant, and the second moves to the third's register bits | `{bc=int}` ... |
/// | `{r=int}` | 00, 11 | register or immediate only | |
final class FormList {
    /// Field with the same value in all words of a form.
    record Fixed(Field field, int value) {}

    private static final String REGISTER = "00 -------------- bbbbbb";
    private static final String CONSTANT = "01 kkkk oooooooooooooo -K";
    private static final String THIRD_CONSTANT = "10 llll mmmmmmmmmmmmmm -L";
    private static final String INTEGER = "11 iiiiiiiiiiiiiiiiiiii";
    private static final String FLOAT = "11 IIIIIIIIIIIIIIIIIIII";

    private static final Set<Opcode> ABSOLUTE = EnumSet.of(Opcode.JMP, Opcode.JMX, Opcode.JCAL);

    private final List<Form> forms = new ArrayList<>();
    private final Legend legend;

    FormList(Legend legend) {
        this.legend = legend;
    }

    static Fixed fixed(Field field, int value) {
        return new Fixed(field, value);
    }

    List<Form> forms() {
        return forms;
    }

    FormList add(String pattern, String syntax, Fixed... constants) {
        int open = pattern.indexOf('{');
        if (open < 0) {
            return addOne(pattern, syntax, Operand.Style.INTEGER, constants);
        }
        int equals = pattern.indexOf('=');
        int close = pattern.indexOf('}');
        String area = pattern.substring(open + 1, equals);
        String before = pattern.substring(0, open);
        String after = pattern.substring(close + 1);
        Operand.Style style =
                switch (pattern.substring(equals + 1, close)) {
                    case "int" -> Operand.Style.INTEGER;
                    case "float" -> Operand.Style.FLOAT;
                    case "double" -> Operand.Style.DOUBLE;
                    default ->
                            throw new IllegalArgumentException(
                                    "pattern=" + pattern + ", expected =int, =float or =double");
                };
        addOne(before + REGISTER + after, syntax, style, constants);
        if (!area.equals("r")) {
            addOne(before + CONSTANT + after, syntax, style, constants);
        }
        if (area.equals("bc")) {
            addOne(before.replace('c', 'b') + THIRD_CONSTANT + after, syntax, style, constants);
        }
        String immediate = style == Operand.Style.INTEGER ? INTEGER : FLOAT;
        return addOne(before + immediate + after, syntax, style, constants);
    }

    private FormList addOne(String pattern, String text, Operand.Style style, Fixed... constants) {
        Map<Field, Integer> values = new EnumMap<>(Field.class);
        for (Fixed constant : constants) {
            values.put(constant.field(), constant.value());
        }
        Syntax syntax = new Syntax(text, style);
        forms.add(
                new Form(
                        text + " | " + pattern,
                        syntax.opcode(),
                        Pattern.parse(pattern, legend),
                        values,
                        syntax,
                        !ABSOLUTE.contains(syntax.opcode())));
        return this;
    }
}
