package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the bit instructions: bitwise operations, shifts, bit fields and bit counts.
final class LogicForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('r', Field.INVERT_A)
                    .and('s', Field.INVERT_B)
                    .and('O', Field.LOGIC_INNER)
                    .and('X', Field.CARRY_IN)
                    .and('g', Field.SIGNED)
                    .and('W', Field.WRAP)
                    .and('R', Field.REVERSE)
                    .and('A', Field.SHIFT_AMOUNT)
                    .and('M', Field.PERMUTE);

    private LogicForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "01101 ---- ------ C {b=int} aaaaaa dddddd nppp rsOOX j 0011",
                        "LOP.op.x d.cc, a, b")
                .add(
                        "00111 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp rsOOX j 0010",
                        "LOP32I.op.x d.cc, a, i")
                .add(
                        "01100 ---- ------ C {b=int} aaaaaa dddddd nppp W--X- j 0011",
                        "SHL.w.x d.cc, a, b")
                .add(
                        "01011 ---- ------ C {b=int} aaaaaa dddddd nppp WRX-g j 0011",
                        "SHR.u32.w.brev.x d.cc, a, b")
                .add(
                        "01110 ---- ------ C {b=int} aaaaaa dddddd nppp -R--g j 0011",
                        "BFE.u32.brev d.cc, a, b")
                .add(
                        "00101 ---- cccccc C {bc=int} aaaaaa dddddd nppp ----- j 0011",
                        "BFI d.cc, a, b, c")
                .add(
                        "01111 ---- ------ C {b=int} ------ dddddd nppp -s-Ag j 0011",
                        "FLO.u32.sh d.cc, b")
                .add("01010 1--- ------ - {b=int} aaaaaa dddddd nppp rs--- j 0100", "POPC d, a, b")
                .add(
                        "00100 1--- cccccc - {bc=int} aaaaaa dddddd nppp --MMM j 0100",
                        "PRMT.prmt d, a, b, c")
                .forms();
    }
}
