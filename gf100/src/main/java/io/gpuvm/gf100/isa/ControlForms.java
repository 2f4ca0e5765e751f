package io.gpuvm.gf100.isa;

import java.util.List;

/// Branches, calls, the divergence stack, barriers.
final class ControlForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .signed('T', Field.TARGET)
                    .and('A', Field.TARGET)
                    .and('U', Field.UNIFORM)
                    .and('L', Field.LIMIT)
                    .and('R', Field.COUNTED)
                    .and('e', Field.CONDITION)
                    .and('O', Field.BARRIER_OP)
                    .and('P', Field.PDST)
                    .and('B', Field.BARRIER)
                    .and('r', Field.BARRIER_REGISTER)
                    .and('F', Field.THREADS)
                    .and('g', Field.THREADS_REGISTER);

    private ControlForms() {}

    static List<Form> list() {
        FormList list = new FormList(LEGEND);
        branches(list);
        pushes(list);
        ends(list);
        barriers(list);
        return list.forms();
    }

    private static void branches(FormList list) {
        list.add(
                        "01000 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ ---LU0 nppp eeeee - 0111",
                        "BRA.u.lmt cc?, target")
                .add(
                        "00000 - AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ------ ---LU0 nppp eeeee - 0111",
                        "JMP.u.lmt cc?, address")
                .add(
                        "01010 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ ---R-0 ---- ----- - 0111",
                        "CAL.noinc target")
                .add(
                        "00010 - AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ------ ---R-0 ---- ----- - 0111",
                        "JCAL.noinc address");
    }

    private static void pushes(FormList list) {
        list.add(
                        "01111 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ ---R-0 ---- ----- - 0111",
                        "PRET.noinc target")
                .add(
                        "01100 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ -----0 ---- ----- - 0111",
                        "SSY target")
                .add(
                        "01101 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ -----0 ---- ----- - 0111",
                        "PBK target")
                .add(
                        "01110 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ -----0 ---- ----- - 0111",
                        "PCNT target")
                .add(
                        "01011 --------- TTTTTTTTTTTTTTTTTTTTTTTT ------ -----0 ---- ----- - 0111",
                        "PLONGJMP target");
    }

    private static void ends(FormList list) {
        String rest = " --------- ------------------------ ------ ------ nppp eeeee - 0111";
        list.add("10000" + rest, "EXIT cc?")
                .add("10001" + rest, "LONGJMP cc?")
                .add("10010" + rest, "RET cc?")
                .add("10011" + rest, "KIL cc?")
                .add("10101" + rest, "BRK cc?")
                .add("10110" + rest, "CONT cc?")
                .add(
                        "01000 0--- ---0-- - ---------------------- ------ ------ nppp eeeee j 0100",
                        "NOP cc");
    }

    /// Barrier number and thread count can each be in the instruction or in a register; the
    /// predicate result is rarely wanted and has forms of its own.
    private static void barriers(FormList list) {
        for (String result : List.of("11 1", "PP P")) {
            String syntax =
                    result.equals("11 1")
                            ? "BAR.bar d, bar, threads, q"
                            : "BAR.bar p, d, bar, threads, q";
            for (String area :
                    List.of(
                            "00 -------------- gggggg rrrrrr",
                            "01 -------- FFFFFFFFFFFF rrrrrr",
                            "10 -------------- gggggg --BBBB",
                            "11 -------- FFFFFFFFFFFF --BBBB")) {
                list.add(
                        "01010 0--" + result + "tqqq - " + area + " dddddd nppp --OOO j 0100",
                        syntax,
                        pdst(result));
            }
        }
    }

    private static FormList.Fixed[] pdst(String result) {
        return result.equals("11 1")
                ? new FormList.Fixed[] {FormList.fixed(Field.PDST, 7)}
                : new FormList.Fixed[0];
    }
}
