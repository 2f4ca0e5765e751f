package io.gpuvm.ptx.check;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Instructions that match the forms of the table of instructions.
public final class FormSamples {
    private FormSamples() {}

    /// Returns an instruction for each form and each of its words: all choices of a slot occur at
    /// least once, with and without optional words.
    public static List<String> all() {
        return InstructionRules.all().forms().stream()
                .flatMap(form -> instructions(form).stream())
                .toList();
    }

    private static List<String> instructions(InstructionForm form) {
        List<String> instructions = new ArrayList<>();
        for (List<String> words : choices(form)) {
            String text =
                    form.opcode().word()
                            + String.join("", words.stream().map(word -> "." + word).toList());
            InstructionRules.Found found = InstructionRules.all().find(text, 99, 200, 20);
            if (found.rule() == null) {
                throw new AssertionError(text + ": " + found.problem());
            }
            if (isComplete(found.rule())) {
                instructions.add(text + " " + operands(found.rule()) + ";");
            }
        }
        return instructions;
    }

    /// Returns whether the operands follow from the table.
    private static boolean isComplete(ResolvedOperation rule) {
        PtxOperation operation = rule.operation();
        boolean comparisonOfBits =
                operation.comparison() != null
                        && operation.sourceType().kind() == PtxType.Kind.BITS
                        && operation.comparison() != PtxModifier.EQ
                        && operation.comparison() != PtxModifier.NE;
        boolean unsignedWord = operation.text().matches("[^.]*\\.(lo|ls|hi|hs)\\..*");
        boolean comparison =
                operation.opcode() == PtxOpcode.SET || operation.opcode() == PtxOpcode.SETP;
        boolean wrongWord =
                comparison
                        && unsignedWord
                        && operation.sourceType().kind() != PtxType.Kind.UNSIGNED;
        boolean tooWide =
                !operation.types().isEmpty()
                        && operation.vectorLength() * operation.type().bytes() > 16;
        return operation.opcode() != PtxOpcode.CALL && !comparisonOfBits && !wrongWord && !tooWide;
    }

    private static Set<List<String>> choices(InstructionForm form) {
        Set<List<String>> choices = new LinkedHashSet<>();
        choices.add(choose(form, -1, null, false));
        choices.add(choose(form, -1, null, true));
        for (int slot = 0; slot < form.slots().size(); slot++) {
            for (String word : words(form.slots().get(slot))) {
                choices.add(choose(form, slot, word, false));
                choices.add(choose(form, slot, word, true));
            }
        }
        return choices;
    }

    private static List<String> choose(
            InstructionForm form, int chosen, String word, boolean optional) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < form.slots().size(); i++) {
            WordSlot slot = form.slots().get(i);
            if (i == chosen) {
                words.add(word);
            } else if (!slot.optional() || optional && !slot.hints()) {
                words.add(words(slot).getFirst());
            }
        }
        return words;
    }

    private static List<String> words(WordSlot slot) {
        if (slot.hints()) {
            return List.of("L1::evict_last", "L2::128B");
        }
        return List.copyOf(
                slot.types().isEmpty() ? slot.modifiers().keySet() : slot.types().keySet());
    }

    private static String operands(ResolvedOperation rule) {
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < rule.rules().size(); i++) {
            operands.add(operand(rule, rule.rules().get(i), rule.types()[i], i));
        }
        return String.join(", ", operands);
    }

    private static String operand(
            ResolvedOperation rule, OperandRule operand, PtxType type, int index) {
        PtxOperation operation = rule.operation();
        return switch (operand.role()) {
            case RESULT, SOURCE, SOURCE_OR_ADDRESS, WIDE_SOURCE ->
                    operand.isAddress() ? "%b64_1" : register(type, index);
            case WIDE_RESULT, STORED -> vector(type, index, operation.vectorLength());
            case TEXTURE_RESULT -> vector(type, index, 4);
            case PREDICATES -> "%pred_0|%pred_1";
            case RESULT_AND_PREDICATE -> register(type, index) + "|%pred_0";
            case NEGATABLE -> "!%pred_1";
            case MEMORY -> "[" + variable(operation.space()) + "]";
            case CONSTANT -> "7";
            case LABEL -> "L";
            case TARGETS -> "T";
            case VIDEO_RESULT -> register(type, index);
            case VIDEO_SOURCE -> register(type, index) + ".b1";
            case VIDEO_THIRD -> register(type, index);
            case IMAGE_AND_COORDINATES -> "[image, " + coordinates(type) + "]";
            case IMAGE -> "[image]";
            case GRADIENT -> coordinates(type);
        };
    }

    private static String coordinates(PtxType type) {
        return "{%b32_0, "
                + register(type, 1)
                + ", "
                + register(type, 2)
                + ", "
                + register(type, 3)
                + "}";
    }

    private static String vector(PtxType type, int index, int length) {
        if (length == 1) {
            return register(type, index);
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            parts.add(register(type, index + i));
        }
        return "{" + String.join(", ", parts) + "}";
    }

    private static String register(PtxType type, int index) {
        return "%" + (type == PtxType.PRED ? "pred" : "b" + type.bits()) + "_" + index % 8;
    }

    private static String variable(PtxSpace space) {
        return switch (space) {
            case GENERIC -> "%b64_7";
            case CONST -> "constant";
            case GLOBAL -> "global+16";
            case LOCAL -> "local";
            case PARAM -> "parameter";
            case SHARED -> "shared+16";
        };
    }

    /// Returns a kernel with an instruction, and with the names that the instruction uses.
    public static String source(String instruction) {
        return Sources.NEWEST
                + """
                .global .texref image;
                .global .align 16 .b8 global[64];
                .const .align 16 .b8 constant[64];
                .shared .align 16 .b8 shared[64];
                .visible .entry k() {
                  .reg .pred %pred_<8>;
                  .reg .b8 %b8_<8>;
                  .reg .b16 %b16_<8>;
                  .reg .b32 %b32_<8>;
                  .reg .b64 %b64_<8>;
                  .local .align 16 .b8 local[64];
                  .param .align 16 .b8 parameter[64];
                  T: .branchtargets L, L;
                L:
                """
                + instruction
                + "\n  ret;\n}\n";
    }
}
