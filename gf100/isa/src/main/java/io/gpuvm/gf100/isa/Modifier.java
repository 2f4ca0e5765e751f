package io.gpuvm.gf100.isa;

import java.util.List;

/// Part of an instruction's text that starts with a dot, and the field that the part sets.
///
/// A field's value is the index of its name in `names`. The empty name is not printed; null means
/// that the hardware has no such value, so a word with this value is not an instruction. A name may
/// contain dots (`U32.U32`).
///
/// @param fields usually one field; the values of several fields are the bits of the index, first
///   field lowest
public record Modifier(String key, List<Field> fields, List<String> names) {
    /// Returns the index of the empty name, or -1 if the text must have a name.
    public int defaultIndex() {
        return names.indexOf("");
    }

    /// Returns the index of the name that a word selects.
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

    /// Returns the name that a word selects; empty for the default, null for a reserved value.
    public String name(Form form, long word) {
        int index = index(form, word);
        return index >= 0 && index < names.size() ? names.get(index) : null;
    }

    /// Returns the word with the modifier's fields set to the index of a name.
    ///
    /// @throws IllegalArgumentException if a field of the form cannot have the value
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

    /// Returns whether the form's fields can have this index.
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
