package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.Quotation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Line of the table of instructions.
///
/// @param version least version of the language, in the unit of [PtxModule#version()]
/// @param target least number of the target
record InstructionForm(
        PtxOpcode opcode,
        List<WordSlot> slots,
        List<OperandRule> operands,
        int version,
        int target) {
    /// Comparison of a text with a form.
    ///
    /// @param operation operation of the text, or null if the form does not match
    /// @param matched number of words that match
    /// @param problem description of the difference, or null
    record Match(PtxOperation operation, int matched, String problem) {}

    /// Matches words. Modifiers may have another order than in the table; types may not.
    Match match(String text, List<String> words) {
        boolean[] used = new boolean[slots.size()];
        List<PtxType> types = new ArrayList<>();
        Set<PtxModifier> modifiers = EnumSet.noneOf(PtxModifier.class);
        int firstType = 0;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int slot = slotOf(word, used, firstType);
            if (slot < 0) {
                return new Match(null, i, Quotation.of("." + word) + " is not expected here");
            }
            WordSlot found = slots.get(slot);
            used[slot] = !found.hints();
            if (!found.types().isEmpty()) {
                types.add(found.types().get(word));
                firstType = slot + 1;
            } else if (!found.hints()) {
                modifiers.add(found.modifiers().get(word));
            }
        }
        for (int i = 0; i < used.length; i++) {
            if (!used[i] && !slots.get(i).optional()) {
                return new Match(
                        null,
                        words.size(),
                        "expected one of " + slots.get(i).expected() + " after it");
            }
        }
        return new Match(new PtxOperation(opcode, text, types, modifiers), words.size(), null);
    }

    private int slotOf(String word, boolean[] used, int firstType) {
        for (int i = 0; i < used.length; i++) {
            WordSlot slot = slots.get(i);
            if (!used[i] && slot.accepts(word) && (slot.types().isEmpty() || i >= firstType)) {
                return i;
            }
        }
        return -1;
    }
}
