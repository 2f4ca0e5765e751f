package io.gpuvm.ptx.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Word of an operation in the table of instructions.
///
/// @param types types by word; empty if the slot is for modifiers
/// @param modifiers modifiers by word; empty if the slot is for types
/// @param hints whether the slot accepts any number of hints to the caches, which have no effect
record WordSlot(
        Map<String, PtxType> types,
        Map<String, PtxModifier> modifiers,
        boolean optional,
        boolean hints) {
    private static final Map<String, PtxModifier> UNSIGNED_COMPARISONS =
            Map.of(
                    "lo", PtxModifier.LT,
                    "ls", PtxModifier.LE,
                    "hi", PtxModifier.GT,
                    "hs", PtxModifier.GE);

    /// Name of a slot for hints.
    static final String HINTS = "hints";

    /// Returns the slot for words.
    ///
    /// @throws IllegalArgumentException if a word is neither a type nor a modifier
    static WordSlot of(List<String> words, boolean optional) {
        if (words.equals(List.of(HINTS))) {
            return new WordSlot(Map.of(), Map.of(), true, true);
        }
        Map<String, PtxType> types = new LinkedHashMap<>();
        Map<String, PtxModifier> modifiers = new LinkedHashMap<>();
        boolean comparison = words.contains(PtxModifier.EQ.word());
        for (String word : words) {
            PtxModifier modifier =
                    comparison && UNSIGNED_COMPARISONS.containsKey(word)
                            ? UNSIGNED_COMPARISONS.get(word)
                            : PtxModifier.of(word);
            if (PtxType.of(word) != null) {
                types.put(word, PtxType.of(word));
            } else if (modifier != null) {
                modifiers.put(word, modifier);
            } else {
                throw new IllegalArgumentException("word=" + word);
            }
        }
        if (!types.isEmpty() && !modifiers.isEmpty()) {
            throw new IllegalArgumentException("types and modifiers in one slot: " + words);
        }
        return new WordSlot(types, modifiers, optional, false);
    }

    boolean accepts(String word) {
        if (hints) {
            return word.startsWith("L1::")
                    || word.matches("L2::(evict_(first|last|normal)|(64|128|256)B)");
        }
        return types.containsKey(word) || modifiers.containsKey(word);
    }

    /// Returns the words for messages.
    String expected() {
        return String.join(", ", types.isEmpty() ? modifiers.keySet() : types.keySet());
    }
}
