package io.gpuvm.gf100.isa;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Assignment of fields to the letters of a bit pattern.
///
/// [#COMMON] has the letters with the same meaning in all families; each family of forms adds its
/// own letters.
final class Legend {
    /// Fields that a letter's bits supply, starting at bit `low` of the number; see [FieldLayout].
    record Entry(List<Field> fields, boolean signed, int scale, int low, int bias) {}

    /// Letters of the guard, the registers, and the second and third operand with their signs.
    static final Legend COMMON =
            new Legend(Map.of())
                    .and('n', Field.PREDICATE_NOT)
                    .and('p', Field.PREDICATE)
                    .and('j', Field.JOIN)
                    .and('d', Field.DST)
                    .and('a', Field.SRC_A)
                    .and('b', Field.SRC_B)
                    .and('c', Field.SRC_C)
                    .and('C', Field.CC_OUT)
                    .and('k', Field.B_BANK)
                    .high('K', Field.B_BANK, 4)
                    .scaled('o', Field.B_OFFSET, 2)
                    .and('l', Field.C_BANK)
                    .high('L', Field.C_BANK, 4)
                    .scaled('m', Field.C_OFFSET, 2)
                    .signed('i', Field.IMMEDIATE)
                    .scaled('I', Field.IMMEDIATE, 12)
                    .and('x', Field.NEGATE_A)
                    .and('y', Field.NEGATE_B)
                    .and('z', Field.NEGATE_C)
                    .and('N', Field.NEGATE_PRODUCT)
                    .and('u', Field.ABSOLUTE_A)
                    .and('v', Field.ABSOLUTE_B)
                    .and('q', Field.PSRC)
                    .and('t', Field.PSRC_NOT);

    private final Map<Character, Entry> entries;

    private Legend(Map<Character, Entry> entries) {
        this.entries = entries;
    }

    Entry get(char letter) {
        return entries.get(letter);
    }

    Legend and(char letter, Field... fields) {
        return with(letter, new Entry(List.of(fields), false, 0, 0, 0));
    }

    Legend signed(char letter, Field field) {
        return with(letter, new Entry(List.of(field), true, 0, 0, 0));
    }

    Legend scaled(char letter, Field field, int scale) {
        return with(letter, new Entry(List.of(field), false, scale, 0, 0));
    }

    Legend signedScaled(char letter, Field field, int scale) {
        return with(letter, new Entry(List.of(field), true, scale, 0, 0));
    }

    /// Adds a letter for the bits of the field from `low` upwards.
    Legend high(char letter, Field field, int low) {
        return with(letter, new Entry(List.of(field), false, 0, low, 0));
    }

    Legend biased(char letter, Field field, int bias) {
        return with(letter, new Entry(List.of(field), false, 0, 0, bias));
    }

    private Legend with(char letter, Entry entry) {
        Map<Character, Entry> more = new HashMap<>(entries);
        more.put(letter, entry);
        return new Legend(more);
    }
}
