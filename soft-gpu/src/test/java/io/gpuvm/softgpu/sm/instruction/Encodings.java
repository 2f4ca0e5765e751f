package io.gpuvm.softgpu.sm.instruction;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.asm.AssemblyException;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Encodings of a case's text, in which `{k}` is an operand.
final class Encodings {
    private static final Pattern PLACE = Pattern.compile("\\{(\\d+)([df]?)}");
    private static final Pattern SIGNED_PLACE = Pattern.compile("[-|~]\\{");
    private static final int IMMEDIATE_LOW_BITS = 12;

    private Encodings() {}

    /// Returns the text with all operands in registers.
    static String registers(String text) {
        return PLACE.matcher(text).replaceAll(place -> "R" + place.group(1));
    }

    /// Returns the texts with one operand as a constant or an immediate, for one row of inputs.
    /// Constants are at [Bench#CONSTANTS_OFFSET], one word per input.
    static List<String> others(String text, int[] inputs) {
        List<String> texts = new ArrayList<>();
        List<MatchResult> places = PLACE.matcher(text).results().toList();
        for (MatchResult place : places) {
            int index = Integer.parseInt(place.group(1));
            texts.add(
                    one(
                            text,
                            place,
                            "c[0x0][0x%x]"
                                    .formatted(Bench.CONSTANTS_OFFSET + index * Integer.BYTES)));
            String immediate = immediate(place.group(2), index, inputs);
            boolean first = place.start() == places.getFirst().start();
            if (immediate != null && first && !SIGNED_PLACE.matcher(text).find()) {
                texts.add(one(text, place, immediate));
            }
        }
        return texts;
    }

    private static String one(String text, MatchResult place, String operand) {
        return registers(text.substring(0, place.start()))
                + operand
                + registers(text.substring(place.end()));
    }

    private static String immediate(String kind, int index, int[] inputs) {
        int value = inputs[index];
        int upper = kind.equals("d") ? inputs[index + 1] : value;
        boolean lowerBits = (upper & (1 << IMMEDIATE_LOW_BITS) - 1) != 0;
        return switch (kind) {
            case "f" -> lowerBits ? null : "0x%x".formatted(upper);
            case "d" -> lowerBits || value != 0 ? null : "0x%x".formatted(upper);
            default -> value >= -(1 << 19) && value < 1 << 19 ? Integer.toString(value) : null;
        };
    }

    /// Returns the forms that a case tests: those of the marked lines, in all encodings of all
    /// rows.
    static Set<Form> tested(InstructionCase instructions) {
        Set<Form> forms = new LinkedHashSet<>();
        Set<String> texts = new LinkedHashSet<>();
        texts.add(registers(instructions.text()));
        for (InstructionCase.Row row : instructions.rows()) {
            texts.addAll(others(instructions.text(), row.inputs()));
            if (texts.size() > 8) {
                break;
            }
        }
        texts.forEach(text -> forms.addAll(testedIn(text)));
        return forms;
    }

    /// Returns the forms of the marked lines of a text, or of the first line.
    static List<Form> testedIn(String text) {
        List<Form> forms = new ArrayList<>();
        long[] words = assemble(text);
        List<String> lines = text.lines().filter(Encodings::isInstruction).toList();
        boolean marked = text.contains("*");
        for (int i = 0; i < lines.size(); i++) {
            if (marked ? lines.get(i).strip().startsWith("*") : i == 0) {
                forms.add(InstructionTable.find(words[i]));
            }
        }
        return forms;
    }

    private static boolean isInstruction(String line) {
        return !line.isBlank() && !line.strip().endsWith(":") && !line.strip().startsWith(".");
    }

    /// @throws AssertionError if the text does not assemble
    static long[] assemble(String text) {
        try {
            return Assembler.code("case", text.replace("*", " "));
        } catch (AssemblyException e) {
            throw new AssertionError(text + "\n" + e.errors(), e);
        }
    }
}
