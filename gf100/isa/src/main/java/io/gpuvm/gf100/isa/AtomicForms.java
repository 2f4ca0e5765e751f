package io.gpuvm.gf100.isa;

import static io.gpuvm.gf100.isa.FormList.fixed;

import java.util.List;

/// Forms of the atomic operations on global memory, with and without a result.
///
/// Type (bits 61:59 and 9) and operation (bits 8:5) have separate fields, but only the combinations
/// below exist.
final class AtomicForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .signed('o', Field.OFFSET)
                    .and('E', Field.EXTENDED)
                    .and('D', Field.DATA)
                    .and('w', Field.SWAP)
                    .and('O', Field.ATOMIC);

    private static final FormList.Fixed U32 = fixed(Field.ATOMIC_TYPE, AtomicType.U32.code());
    private static final FormList.Fixed U64 = fixed(Field.ATOMIC_TYPE, AtomicType.U64.code());
    private static final FormList.Fixed S32 = fixed(Field.ATOMIC_TYPE, AtomicType.S32.code());
    private static final FormList.Fixed F32 = fixed(Field.ATOMIC_TYPE, AtomicType.F32.code());
    private static final FormList.Fixed ADD = fixed(Field.ATOMIC, AtomicOp.ADD.ordinal());
    private static final FormList.Fixed MAX = fixed(Field.ATOMIC, AtomicOp.MAX.ordinal());
    private static final FormList.Fixed EXCH = fixed(Field.ATOMIC, AtomicOp.EXCH.ordinal());
    private static final FormList.Fixed CAS = fixed(Field.ATOMIC, AtomicOp.CAS.ordinal());

    private AtomicForms() {}

    static List<Form> list() {
        FormList list = new FormList(LEGEND);
        reductions(list);
        atomics(list);
        return list.forms();
    }

    private static void reductions(FormList list) {
        String text = "RED.e.atom.atype [], data";
        String rest = " E oooooooooooooooooooooooooooooooo aaaaaa DDDDDD nppp ";
        list.add("00010" + rest + "00OOO j 0101", text, U32)
                .add("00010" + rest + "10000 j 0101", text, U64, ADD)
                .add("00011" + rest + "1000O j 0101", text, S32)
                .add("00011" + rest + "10010 j 0101", text, S32, MAX)
                .add("00101" + rest + "10000 j 0101", text, F32, ADD);
    }

    private static void atomics(FormList list) {
        String text = "ATOM.e.atom.atype d, [], data";
        String cas = "ATOM.e.atom.atype d, [], data, swap";
        String rest = " E ooo 111111 dddddd ooooooooooooooooo aaaaaa DDDDDD nppp ";
        String swap = " E ooo wwwwww dddddd ooooooooooooooooo aaaaaa DDDDDD nppp ";
        list.add("01010" + rest + "00OOO j 0101", text, U32)
                .add("01010" + rest + "01000 j 0101", text, U32, EXCH)
                .add("01010" + swap + "01001 j 0101", cas, U32, CAS)
                .add("01010" + rest + "10000 j 0101", text, U64, ADD)
                .add("01010" + rest + "11000 j 0101", text, U64, EXCH)
                .add("01010" + swap + "11001 j 0101", cas, U64, CAS)
                .add("01011" + rest + "1000O j 0101", text, S32)
                .add("01011" + rest + "10010 j 0101", text, S32, MAX)
                .add("01101" + rest + "10000 j 0101", text, F32, ADD);
    }
}
