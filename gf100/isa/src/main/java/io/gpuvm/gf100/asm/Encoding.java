package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;

/// Instruction word that the matcher builds for a form. Immutable, so that the matcher can try
/// alternatives from any point.
///
/// @param last most recent assignment, null at the start; earlier assignments stay reachable,
///   because fields may share bits
record Encoding(Form form, long word, Assignment last) {
    /// Field with its assigned value, and the value's position in the source.
    record Assignment(Field field, int value, Token token, Assignment before) {}

    static Encoding start(Form form) {
        return new Encoding(form, form.template(), null);
    }

    boolean fits(Field field, int value) {
        return form.fits(field, value);
    }

    Encoding with(Field field, int value, Token token) {
        return new Encoding(
                form, form.set(field, value, word), new Assignment(field, value, token, last));
    }

    Encoding with(long changed) {
        return new Encoding(form, changed, last);
    }

    /// Returns the first assignment that a later assignment has overwritten, or null if there is
    /// none.
    Assignment lost() {
        Assignment found = null;
        for (Assignment one = last; one != null; one = one.before) {
            if (form.get(one.field, word) != one.value) {
                found = one;
            }
        }
        return found;
    }
}
