package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;

/// A word of one form while an instruction is matched with it. Immutable, so that another way can
/// be tried from any point on.
///
/// @param last what was set before, null at the start: fields may share bits
record Encoding(Form form, long word, Assignment last) {
    /// A field that was given a value, and where the source says so.
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

    /// The first assignment that a later one has undone, or null.
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
