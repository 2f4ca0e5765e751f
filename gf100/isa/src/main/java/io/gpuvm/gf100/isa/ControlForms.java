package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the control-flow instructions: branches, calls, exits, the divergence stack, and
/// barriers.
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
                    .and('k', Field.B_BANK)
                    .signed('o', Field.OFFSET)
                    .and('C', Field.CODE)
                    .and('K', Field.BREAKPOINT)
                    .and('X', Field.TERMINATE)
                    .and('B', Field.BARRIER)
                    .and('r', Field.BARRIER_REGISTER)
                    .and('F', Field.THREADS)
                    .and('g', Field.THREADS_REGISTER);

    private static final String RELATIVE = " TTTTTTTTTTTTTTTTTTTTTTTT";
    private static final String ABSOLUTE = " AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    private static final String CONSTANT = "------------ kkkkk oooooooooooooooo";

    private ControlForms() {}

    static List<Form> list() {
        FormList list = new FormList(LEGEND);
        branches(list);
        calls(list);
        ends(list);
        barriers(list);
        return list.forms();
    }

    private static void branches(FormList list) {
        list.add(
                        "01000 ---------" + RELATIVE + " ------ ---LU0 nppp eeeee - 0111",
                        "BRA.u.lmt cc?, target")
                .add("01000 " + CONSTANT + " ------ ---LU1 nppp eeeee - 0111", "BRA.u.lmt cc?, c[]")
                .add(
                        "01001 ---------" + RELATIVE + " aaaaaa ---L-0 nppp eeeee - 0111",
                        "BRX.lmt cc?, a, offset")
                .add("01001 " + CONSTANT + " aaaaaa ---L-1 nppp eeeee - 0111", "BRX.lmt cc?, c[]")
                .add(
                        "00000 -" + ABSOLUTE + " ------ ---LU0 nppp eeeee - 0111",
                        "JMP.u.lmt cc?, target")
                .add("00000 " + CONSTANT + " ------ ---LU1 nppp eeeee - 0111", "JMP.u.lmt cc?, c[]")
                .add(
                        "00001 -" + ABSOLUTE + " aaaaaa ---L-0 nppp eeeee - 0111",
                        "JMX.lmt cc?, a, offset")
                .add("00001 " + CONSTANT + " aaaaaa ---L-1 nppp eeeee - 0111", "JMX.lmt cc?, c[]");
    }

    /// Adds the calls and pushes, which ignore the guard. NVIDIA's tools write varying values to
    /// the guard bits.
    private static void calls(FormList list) {
        list.add(
                        "01010 ---------" + RELATIVE + " ------ ---R-0 ---- ----- - 0111",
                        "CAL.noinc target")
                .add("01010 " + CONSTANT + " ------ ---R-1 ---- ----- - 0111", "CAL.noinc c[]")
                .add("00010 -" + ABSOLUTE + " ------ ---R-0 ---- ----- - 0111", "JCAL.noinc target")
                .add("00010 " + CONSTANT + " ------ ---R-1 ---- ----- - 0111", "JCAL.noinc c[]");
        push(list, "01111", "---R-", "----", "PRET.noinc");
        push(list, "01100", "-----", "----", "SSY");
        push(list, "01101", "-----", "----", "PBK");
        push(list, "01110", "-----", "-+++", "PCNT");
        push(list, "01011", "-----", "-+++", "PLONGJMP");
    }

    /// @param flags bits 19:15
    /// @param guard bits 13:10
    private static void push(
            FormList list, String code, String flags, String guard, String mnemonic) {
        String target = "%s ---------%s ------ %s0 %s ----- - 0111";
        String constant = "%s %s ------ %s1 %s ----- - 0111";
        list.add(target.formatted(code, RELATIVE, flags, guard), mnemonic + " target")
                .add(constant.formatted(code, CONSTANT, flags, guard), mnemonic + " c[]");
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
                        "01000 0--- ----0- - ---------------------- ------ ------ nppp eeeee j 0100",
                        "NOP cc?")
                .add(
                        "01000 0--- ----1- - ------CCCCCCCCCCCCCCCC ------ ------ nppp eeeee j 0100",
                        "NOP.trig cc?, code",
                        FormList.fixed(Field.TRIGGER, 1))
                .add(
                        "10100 --------- ------------------------ ------ -----X ---- ----- - 0111",
                        "RTT.term")
                .add(
                        "11010 ------------- CCCCCCCCCCCCCCCCCCCC ------ ----KK ---- ----- - 0111",
                        "BPT.bpt code");
    }

    /// Adds the barriers. The barrier number and the thread count can each be in the instruction or
    /// in a register. The predicate result is rare and has separate forms.
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
