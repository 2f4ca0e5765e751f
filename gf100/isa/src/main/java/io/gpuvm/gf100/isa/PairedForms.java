package io.gpuvm.gf100.isa;

import static io.gpuvm.gf100.isa.FormList.fixed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Forms of instructions with two loads: the first from generic or shared memory, the second from
/// an address that is the same in all lanes. NVIDIA's compiler generates such instructions for
/// inner loops of matrix products.
///
/// Bits 57:53 encode both sizes, and not every pair exists. Offsets are in units of the size.
/// Source: envytools `envydis/gf100.c`, `tabldulddst1` and the tables next to it.
final class PairedForms {
    private static final int FIRST_WORD = MemorySize.B32.ordinal();
    private static final int PAIR_BITS = 5;
    private static final int HIGH_AT = 5;

    /// Valid sizes of the second load, by size of the first load, in the order of bits 57:53.
    private static final MemorySize[][] SECOND = {
        narrow(), narrow(), narrow(), narrow(), all(), wide(3), wide(2)
    };

    private PairedForms() {}

    private static MemorySize[] narrow() {
        return new MemorySize[] {
            MemorySize.U8, MemorySize.S8, MemorySize.U16, MemorySize.S16, MemorySize.B32
        };
    }

    private static MemorySize[] all() {
        return MemorySize.values();
    }

    private static MemorySize[] wide(int count) {
        return Arrays.copyOfRange(MemorySize.values(), FIRST_WORD, FIRST_WORD + count);
    }

    static List<Form> list() {
        List<Form> forms = new ArrayList<>();
        int pair = 0;
        for (MemorySize first : MemorySize.values()) {
            for (MemorySize second : SECOND[first.ordinal()]) {
                forms.addAll(forms(pair, first, second));
                pair++;
            }
        }
        return forms;
    }

    private static Legend legend(MemorySize first, MemorySize second) {
        return Legend.COMMON
                .signedScaled('o', Field.OFFSET, scale(first))
                .signedScaled('l', Field.OFFSET_2, scale(second))
                .high('h', Field.OFFSET_2, HIGH_AT)
                .and('E', Field.EXTENDED)
                .and('F', Field.EXTENDED_2)
                .and('e', Field.DST_2)
                .and('b', Field.ADDRESS_2);
    }

    private static int scale(MemorySize size) {
        return Integer.numberOfTrailingZeros(size.bytes());
    }

    private static List<Form> forms(int pair, MemorySize first, MemorySize second) {
        StringBuilder sizes = new StringBuilder();
        for (int bit = PAIR_BITS - 1; bit >= 0; bit--) {
            sizes.append(pair >> bit & 1);
        }
        String rest = sizes + " oooooooooo hhhhh dddddd bbbbbb aaaaaa eeeeee nppp lllll j 0101";
        FormList.Fixed one = fixed(Field.SIZE, first.ordinal());
        FormList.Fixed two = fixed(Field.SIZE_2, second.ordinal());
        return new FormList(legend(first, second))
                .add("1011 E F " + rest, "LD_LDU.e.each.e2.each2 d, d2, [], []2", one, two)
                .add("10101 F " + rest, "LDS_LDU.each.e2.each2 d, d2, [], []2", one, two)
                .forms();
    }
}
