package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the single-precision instructions: arithmetic, comparisons, and the operations of the
/// multi-function unit.
final class FloatForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('f', Field.FTZ)
                    .and('g', Field.FMZ)
                    .and('s', Field.SATURATE)
                    .and('r', Field.ROUNDING)
                    .and('M', Field.SCALE)
                    .and('e', Field.COMPARISON)
                    .and('h', Field.LOGIC)
                    .and('B', Field.BOOLEAN_FLOAT)
                    .and('D', Field.PDST)
                    .and('E', Field.PDST_2)
                    .and('F', Field.FUNCTION)
                    .and('R', Field.REDUCE_EX2)
                    .and('w', Field.DST, Field.SRC_C);

    private FloatForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "01010 --rr -----s C {b=float} aaaaaa dddddd nppp xyuvf j 0000",
                        "FADD.ftz.rnd.sat d.cc, a, b")
                .add(
                        "01011 -Nrr ---MMM C {b=float} aaaaaa dddddd nppp --gfs j 0000",
                        "FMUL.scale.ftz.fmz.rnd.sat d.cc, a, b")
                .add(
                        "00110 --rr cccccc C {bc=float} aaaaaa dddddd nppp Nzgfs j 0000",
                        "FFMA.ftz.fmz.rnd.sat d.cc, a, b, c")
                .add(
                        "00001 ---- --tqqq C {b=float} aaaaaa dddddd nppp xyuvf j 0000",
                        "FMNMX.ftz d.cc, a, b, q")
                .add(
                        "0001f eeee hhtqqq C {b=float} aaaaaa dddddd nppp xyuvB j 0000",
                        "FSET.bf.cmp.ftz.logic d.cc, a, b, q")
                .add(
                        "0010f eeee hhtqqq - {b=float} aaaaaa DDDEEE nppp xyuv- j 0000",
                        "FSETP.cmp.ftz.logic p, p2, a, b, q")
                .add(
                        "00111 eeee cccccc - {bc=float} aaaaaa dddddd nppp ----f j 0000",
                        "FCMP.cmp.ftz d, a, b, c")
                .add(
                        "01100 ---- ------ - {b=float} ------ dddddd nppp -y-vR j 0000",
                        "RRO.rro d, b")
                .add(
                        "11001 ---- ------ - -------------------FFF aaaaaa dddddd nppp x-u-s j 0000",
                        "MUFU.mufu.sat d, a")
                .add(
                        "00101 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp x-u-f j 0010",
                        "FADD32I.ftz d.cc, a, f")
                .add(
                        "00110 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa dddddd nppp --gfs j 0010",
                        "FMUL32I.ftz.fmz.sat d.cc, a, f")
                .add(
                        "00100 C iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii aaaaaa wwwwww nppp Nzgfs j 0010",
                        "FFMA32I.ftz.fmz.sat d.cc, a, f, c")
                .forms();
    }
}
