package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the moves, the selects, and the instructions that access registers other than general
/// registers.
final class MoveForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('M', Field.QUAD_LANES)
                    .and('S', Field.SPECIAL_REGISTER)
                    .and('H', Field.FLAGS_HIGH)
                    .and('A', Field.BARRIER);

    private MoveForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "00101 0--- ------ - {b=int} ------ dddddd nppp -MMMM j 0100",
                        "MOV.lanes d, b")
                .add(
                        "00011 - iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii ------ dddddd nppp -MMMM j 0010",
                        "MOV32I.lanes d, i")
                .add(
                        "00100 0--- --tqqq - {b=int} aaaaaa dddddd nppp ----- j 0100",
                        "SEL d, a, b, q")
                .add(
                        "00101 1--- ------ - --------------SSSSSSSS ------ dddddd nppp ----- j 0100",
                        "S2R d, sr")
                .add(
                        "00110 0--- ------ - {b=int} aaaaaa dddddd nppp ----H j 0100",
                        "P2R.flags d, a, b")
                .add(
                        "00110 1--- ------ - {b=int} aaaaaa ------ nppp ----H j 0100",
                        "R2P.flags a, b")
                .add(
                        "00111 0--- ------ - ---------------------- --AAAA dddddd nppp ----- j 0100",
                        "B2R d, bar")
                .add(
                        "01000 1--- ------ - ---------------------- ------ dddddd nppp ----- j 0100",
                        "LEPC d")
                .forms();
    }
}
