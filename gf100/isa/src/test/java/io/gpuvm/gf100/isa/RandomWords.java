package io.gpuvm.gf100.isa;

import java.util.Random;

/// Random instructions of a form: every field has a random value that the form and the hardware
/// support.
public final class RandomWords {
    private final Random random;

    public RandomWords(long seed) {
        random = new Random(seed);
    }

    /// Returns a word of the form, with the assembler's values in ignored bits. The word may belong
    /// to another, more specific form.
    public long next(Form form) {
        while (true) {
            long word = form.template();
            for (Field field : form.fields()) {
                if (!form.isConstant(field)) {
                    word = form.set(field, next(form, field), word);
                }
            }
            if (form.accepts(word)) {
                return word;
            }
        }
    }

    /// Returns a word like [#next(Form)] that decodes to this form.
    public long nextFound(Form form) {
        while (true) {
            long word = next(form);
            if (InstructionTable.find(word) == form) {
                return word;
            }
        }
    }

    /// Returns a valid value of the field, from random bits.
    private int next(Form form, Field field) {
        return form.get(field, random.nextLong());
    }
}
