package io.gpuvm.gf100.isa;

import static io.gpuvm.gf100.isa.FormList.fixed;

import java.util.List;

/// Forms of the video instructions: 33-bit sums, differences, minima, comparisons and shifts of
/// parts of words, with a second operation on the result. Compilers apply these instructions to
/// whole words to obtain the second operation.
final class VideoForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('s', Field.SATURATE)
                    .and('S', Field.SIGNED_A)
                    .and('T', Field.SIGNED_B)
                    .and('D', Field.SIGNED)
                    .and('A', Field.PART_A)
                    .and('B', Field.PART_B)
                    .and('i', Field.IMMEDIATE)
                    .and('R', Field.VIDEO_RESULT)
                    .and('m', Field.MAXIMUM)
                    .and('w', Field.WRAP)
                    .and('e', Field.COMPARISON)
                    .and('h', Field.LOGIC)
                    .and('f', Field.VIDEO_SHIFT)
                    .and('P', Field.PDST)
                    .and('Q', Field.PDST_2);

    private static final String REGISTER = " 1 AAA - D ------- BBB bbbbbb ";
    private static final String IMMEDIATE = " 0 AAA - D iiiiiiiiiiiiiiii ";

    private VideoForms() {}

    static List<Form> list() {
        FormList list = new FormList(LEGEND);
        FormList.Fixed plusOne = fixed(Field.PLUS_ONE, 1);
        both(list, "11000 - RRR cccccc C", "aaaaaa dddddd nppp s xyST j 0100", "VADD.ud.types.sat");
        both(
                list,
                "11000 - RRR cccccc C",
                "aaaaaa dddddd nppp s 11ST j 0100",
                "VADD.po.ud.types.sat",
                plusOne);
        both(
                list,
                "11001 - RRR cccccc C",
                "aaaaaa dddddd nppp s -mST j 0100",
                "VMNMX.ud.types.sat.mx");
        both(
                list,
                "11010 - RRR cccccc C",
                "aaaaaa dddddd nppp s --ST j 0100",
                "VABSDIFF.ud.types.sat");
        sets(list);
        both(
                list,
                "11100 - RRR cccccc C",
                "aaaaaa dddddd nppp s -wST j 0100",
                "VSHR.ud.types.sat.w");
        both(
                list,
                "11101 - RRR cccccc C",
                "aaaaaa dddddd nppp s -wST j 0100",
                "VSHL.ud.types.sat.w");
        products(list, "s NzST", "VMAD");
        products(list, "s 11ST", "VMAD.po", plusOne);
        comparisons(list);
        return list.forms();
    }

    private static void both(
            FormList list, String before, String after, String mnemonic, FormList.Fixed... fixed) {
        list.add(before + REGISTER + after, mnemonic + ".result d.cc, a.parta, b.partb, c", fixed)
                .add(before + IMMEDIATE + after, mnemonic + ".result d.cc, a.parta, b, c", fixed);
    }

    private static void sets(FormList list) {
        String before = "11011 - RRR cccccc C";
        String after = "aaaaaa dddddd nppp eeeST j 0100";
        String syntax = "VSET.vcmp.types.result d.cc, a.parta, b";
        list.add(before + REGISTER.replace('D', '-') + after, syntax + ".partb, c")
                .add(before + IMMEDIATE.replace('D', '-') + after, syntax + ", c");
    }

    private static void products(
            FormList list, String flags, String mnemonic, FormList.Fixed... fixed) {
        String before = "11110 - - ff cccccc C";
        String after = "aaaaaa dddddd nppp " + flags + " j 0100";
        String syntax = mnemonic + ".types.sat.vshift d.cc, a.parta, b";
        list.add(before + REGISTER.replace('D', '-') + after, syntax + ".partb, c", fixed)
                .add(before + IMMEDIATE.replace('D', '-') + after, syntax + ", c", fixed);
    }

    private static void comparisons(FormList list) {
        String before = "11111 ---- hhtqqq -";
        String after = "aaaaaa PPPQQQ nppp eeeST j 0100";
        String syntax = "VSETP.vcmp.types.logic p, p2, a.parta, b";
        list.add(before + REGISTER.replace('D', '-') + after, syntax + ".partb, q")
                .add(before + IMMEDIATE.replace('D', '-') + after, syntax + ", q");
    }
}
