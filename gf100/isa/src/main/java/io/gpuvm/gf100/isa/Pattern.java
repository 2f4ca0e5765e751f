package io.gpuvm.gf100.isa;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Parsed bit pattern: 64 characters from bit 63 down to bit 0, with spaces anywhere.
///
/// `0` and `1` are fixed bits. The hardware ignores `-` and `+`, which are assembled as 0 and 1. A
/// [Legend] assigns letters to fields.
///
/// @param mask fixed bits
/// @param value values of the fixed bits
/// @param ignored bits that the hardware ignores
/// @param ignoredValue values of the ignored bits in assembled words
record Pattern(
        long mask, long value, long ignored, long ignoredValue, Map<Field, FieldLayout> layouts) {
    /// @throws IllegalArgumentException if the text does not have 64 bits, or has a letter that the
    ///   legend does not define
    static Pattern parse(String text, Legend legend) {
        String bits = text.replace(" ", "");
        if (bits.length() != Long.SIZE) {
            throw new IllegalArgumentException(
                    "bits=" + bits.length() + ", expected=64, pattern=" + text);
        }
        long mask = 0;
        long value = 0;
        long ignored = 0;
        long ignoredValue = 0;
        for (int i = 0; i < Long.SIZE; i++) {
            long bit = 1L << Long.SIZE - 1 - i;
            switch (bits.charAt(i)) {
                case '0' -> mask |= bit;
                case '1' -> {
                    mask |= bit;
                    value |= bit;
                }
                case '-' -> ignored |= bit;
                case '+' -> {
                    ignored |= bit;
                    ignoredValue |= bit;
                }
                default -> {}
            }
        }
        return new Pattern(mask, value, ignored, ignoredValue, layouts(bits, legend));
    }

    private static Map<Field, FieldLayout> layouts(String bits, Legend legend) {
        Map<Field, List<FieldLayout.BitRange>> ranges = new EnumMap<>(Field.class);
        Map<Field, Legend.Entry> entries = new EnumMap<>(Field.class);
        bits.chars()
                .distinct()
                .filter(Character::isLetter)
                .forEach(letter -> {
                    Legend.Entry entry = legend.get((char) letter);
                    if (entry == null) {
                        throw new IllegalArgumentException(
                                "letter="
                                        + (char) letter
                                        + ", expected a letter of the legend, pattern="
                                        + bits);
                    }
                    for (Field field : entry.fields()) {
                        ranges.computeIfAbsent(field, _ -> new ArrayList<>())
                                .addAll(rangesOf((char) letter, bits, entry.low()));
                        entries.merge(field, entry, (old, fresh) -> old.low() == 0 ? old : fresh);
                    }
                });
        Map<Field, FieldLayout> layouts = new EnumMap<>(Field.class);
        entries.forEach((field, entry) ->
                layouts.put(
                        field,
                        new FieldLayout(
                                ranges.get(field), entry.signed(), entry.scale(), entry.bias())));
        return layouts;
    }

    /// Returns the ranges of a letter's bits: the rightmost bit is the lowest.
    private static List<FieldLayout.BitRange> rangesOf(char letter, String bits, int low) {
        List<FieldLayout.BitRange> ranges = new ArrayList<>();
        int next = low;
        int at = 0;
        while (at < Long.SIZE) {
            int width = 0;
            while (at + width < Long.SIZE && bits.charAt(Long.SIZE - 1 - at - width) == letter) {
                width++;
            }
            if (width > 0) {
                ranges.add(new FieldLayout.BitRange(at, width, next));
                next += width;
            }
            at += width + 1;
        }
        return ranges;
    }
}
