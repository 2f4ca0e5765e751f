package io.gpuvm.gf100.isa;

import java.util.List;

/// A part of an instruction's text that starts with a dot, and the field that it says.
///
/// A field's value is the index of its name. The empty name is not printed; null means that the
/// hardware has no such value, so a word with it is no instruction. A name may have dots within
/// (`U32.U32`).
///
/// @param fields mostly one; if more, their values are the bits of the index, first field lowest
public record Modifier(String key, List<Field> fields, List<String> names) {
    /// The index of the empty name, or -1 if one has to be given.
    public int defaultIndex() {
        return names.indexOf("");
    }

    /// The index that a word has.
    int index(Form form, long word) {
        if (fields.size() == 1) {
            return form.get(fields.getFirst(), word);
        }
        int index = 0;
        for (int i = 0; i < fields.size(); i++) {
            index |= form.get(fields.get(i), word) << i;
        }
        return index;
    }

    /// The name that a word has, empty if it is the usual one; null if there is no such value.
    public String name(Form form, long word) {
        int index = index(form, word);
        return index >= 0 && index < names.size() ? names.get(index) : null;
    }

    /// The word with the modifier's fields set to an index of its names.
    ///
    /// @throws IllegalArgumentException if the form has it fixed at something else
    public long set(Form form, int index, long word) {
        if (fields.size() == 1) {
            return form.set(fields.getFirst(), index, word);
        }
        long result = word;
        for (int i = 0; i < fields.size(); i++) {
            result = form.set(fields.get(i), index >> i & 1, result);
        }
        return result;
    }

    /// Whether the form can have that index.
    public boolean allows(Form form, int index) {
        if (fields.size() == 1) {
            return form.fits(fields.getFirst(), index);
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!form.fits(fields.get(i), index >> i & 1)) {
                return false;
            }
        }
        return true;
    }
}
