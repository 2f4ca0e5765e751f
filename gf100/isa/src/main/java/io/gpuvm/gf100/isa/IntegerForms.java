package io.gpuvm.gf100.isa;

import static io.gpuvm.gf100.isa.FormList.fixed;

import java.util.List;

/// Forms of the integer instructions: arithmetic and comparisons.
///
/// Sums have two bits, each of which negates one term. If both are set, the instruction adds 1 to
/// the sum (`.PO`); separate forms represent this case.
final class IntegerForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('s', Field.SATURATE)
                    .and('X', Field.CARRY_IN)
                    .and('H', Field.HIGH)
                    .and('S', Field.SIGNED_A)
                    .and('T', Field.SIGNED_B)
                    .and('g', Field.SIGNED)
                    .and('P', Field.WIDE_PART)
                    .and('e', Field.COMPARISON)
                    .and('h', Field.LOGIC)
                    .and('B', Field.BOOLEAN_FLOAT)
                    .and('D', Field.PDST)
                    .and('E', Field.PDST_2)
                    .and('f', Field.SHIFT)
                    .and('w', Field.DST, Field.SRC_C);

    private IntegerForms() {}

    static List<Form> list() {
        FormList list = new FormList(LEGEND);
        sums(list);
        products(list);
        comparisons(list);
        return list.forms();
    }

    private static void sums(FormList list) {
        FormList.Fixed plusOne = fixed(Field.PLUS_ONE, 1);
        list.add(
                        "01001 ---- ------ C {b=int} aaaaaa dddddd nppp xy-Xs j 0011",
                        "IADD.sat.x d.cc, a, b")
                .add(
                        "01001 ---- ------ C {b=int} aaaaaa dddddd nppp 11-Xs j 0011",
                        "IADD.po.sat.x d.cc, a, b",
                        plusOne)
                .add(
                        "00001 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp xy-Xs j 0010",
                        "IADD32I.sat.x d.cc, a, i")
                .add(
                        "00001 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp 11-Xs j 0010",
                        "IADD32I.po.sat.x d.cc, a, i",
                        plusOne)
                .add(
                        "01000 --xy ------ C {b=int} aaaaaa dddddd nppp fffff j 0011",
                        "ISCADD d.cc, a, b, shift")
                .add(
                        "01000 --11 ------ C {b=int} aaaaaa dddddd nppp fffff j 0011",
                        "ISCADD.po d.cc, a, b, shift",
                        plusOne)
                .add(
                        "01000 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp fffff j 0010",
                        "ISCADD32I d.cc, a, i, shift")
                .add(
                        "00111 ---- cccccc C {bc=int} aaaaaa dddddd nppp ----g j 0011",
                        "ISAD.u32 d.cc, a, b, c");
    }

    private static void products(FormList list) {
        FormList.Fixed plusOne = fixed(Field.PLUS_ONE, 1);
        list.add(
                        "01010 ---- ------ C {b=int} aaaaaa dddddd nppp --SHT j 0011",
                        "IMUL.types.hi d.cc, a, b")
                .add(
                        "00010 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp --SHT j 0010",
                        "IMUL32I.types.hi d.cc, a, i")
                .add(
                        "00100 --sX cccccc C {bc=int} aaaaaa dddddd nppp NzSHT j 0011",
                        "IMAD.types.hi.sat.x d.cc, a, b, c")
                .add(
                        "00100 --sX cccccc C {bc=int} aaaaaa dddddd nppp 11SHT j 0011",
                        "IMAD.po.types.hi.sat.x d.cc, a, b, c",
                        plusOne)
                .add(
                        "00000 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa wwwwww nppp NzSHT j 0010",
                        "IMAD32I.types.hi d.cc, a, i, c")
                .add(
                        "00000 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa wwwwww nppp 11SHT j 0010",
                        "IMAD32I.po.types.hi d.cc, a, i, c",
                        plusOne);
    }

    private static void comparisons(FormList list) {
        list.add(
                        "00001 ---- --tqqq C {b=int} aaaaaa dddddd nppp --PPg j 0011",
                        "IMNMX.wide.u32 d.cc, a, b, q")
                .add(
                        "00010 eeee hhtqqq C {b=int} aaaaaa dddddd nppp --BXg j 0011",
                        "ISET.bf.cmp.u32.x.logic d.cc, a, b, q")
                .add(
                        "00011 eeee hhtqqq - {b=int} aaaaaa DDDEEE nppp ---Xg j 0011",
                        "ISETP.cmp.u32.x.logic p, p2, a, b, q")
                .add(
                        "00110 eeee cccccc - {bc=int} aaaaaa dddddd nppp ----g j 0011",
                        "ICMP.cmp.u32 d, a, b, c");
    }
}
