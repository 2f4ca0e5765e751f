package io.gpuvm.gf100.isa;

import java.util.Random;

/// Random instructions of a form: every field has a random value that the form can say and the
/// hardware has.
public final class RandomWords {
    private final Random random;

    public RandomWords(long seed) {
        random = new Random(seed);
    }

    /// A word of the form, with ignored bits as the assembler writes them. Another, more specific
    /// form may have it.
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

    /// As [#next(Form)], but a word that decodes to this form.
    public long nextFound(Form form) {
        while (true) {
            long word = next(form);
            if (InstructionTable.find(word) == form) {
                return word;
            }
        }
    }

    /// A value that the field can have: that of random bits.
    private int next(Form form, Field field) {
        return form.get(field, random.nextLong());
    }
}
