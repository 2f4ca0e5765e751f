package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Removes instructions from a kernel while a condition remains true, so that the remaining kernel
/// is readable.
final class KernelShrinker {
    private static final int BYTES = Long.BYTES;

    private final Predicate<long[]> isStillSo;

    KernelShrinker(Predicate<long[]> isStillSo) {
        this.isStillSo = isStillSo;
    }

    /// Returns the shortest kernel found; the removal of large parts is tried first.
    long[] shrink(long[] words) {
        long[] least = words;
        for (int part = words.length / 2; part > 0; part /= 2) {
            least = withoutParts(least, part);
        }
        return withoutParts(least, 1);
    }

    private long[] withoutParts(long[] words, int part) {
        long[] least = words;
        int from = 0;
        while (from < least.length) {
            long[] less = without(least, from, Math.min(from + part, least.length));
            if (less.length > 0 && isStillSo.test(less)) {
                least = less;
            } else {
                from += part;
            }
        }
        return least;
    }

    /// Returns the code without some of its instructions; a branch to a removed instruction leads
    /// to the next remaining instruction.
    static long[] without(long[] words, int from, int to) {
        long[] less = new long[words.length - (to - from)];
        for (int i = 0; i < words.length; i++) {
            if (i < from || i >= to) {
                int place = moved(i, from, to);
                less[place] = led(words[i], i, place, from, to);
            }
        }
        return less;
    }

    private static int moved(int index, int from, int to) {
        return index <= from ? index : Math.max(from, index - (to - from));
    }

    private static long led(long word, int index, int place, int from, int to) {
        Form form = InstructionTable.find(word);
        if (form == null || !form.has(Field.TARGET)) {
            return word;
        }
        int bytes = form.get(Field.TARGET, word);
        int target = form.relative() ? index + 1 + bytes / BYTES : bytes / BYTES;
        int moved = moved(target, from, to);
        int fresh = (form.relative() ? moved - place - 1 : moved) * BYTES;
        return form.fits(Field.TARGET, fresh) ? form.set(Field.TARGET, fresh, word) : word;
    }

    /// Returns the code as text, with the words.
    static String listing(long[] words) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            lines.add(
                    "%04x  %016x  %s"
                            .formatted(
                                    i * BYTES,
                                    words[i],
                                    InstructionTable.find(words[i]) == null
                                            ? "not an instruction"
                                            : Disassembler.line(words[i], i * BYTES)));
        }
        return String.join("\n", lines);
    }
}
