package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the double-precision instructions. A register operand names the first register of a
/// pair, which holds the lower word; a constant operand is 8 bytes long.
final class DoubleForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('r', Field.ROUNDING)
                    .and('e', Field.COMPARISON)
                    .and('h', Field.LOGIC)
                    .and('B', Field.BOOLEAN_FLOAT)
                    .and('D', Field.PDST)
                    .and('E', Field.PDST_2);

    private DoubleForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "01001 --rr ------ C {b=double} aaaaaa dddddd nppp xyuv- j 0001",
                        "DADD.rnd d.cc, a, b")
                .add(
                        "01010 --rr ------ C {b=double} aaaaaa dddddd nppp N---- j 0001",
                        "DMUL.rnd d.cc, a, b")
                .add(
                        "00100 --rr cccccc C {bc=double} aaaaaa dddddd nppp Nz--- j 0001",
                        "DFMA.rnd d.cc, a, b, c")
                .add(
                        "00001 ---- --tqqq C {b=double} aaaaaa dddddd nppp xyuv- j 0001",
                        "DMNMX d.cc, a, b, q")
                .add(
                        "00010 eeee hhtqqq C {b=double} aaaaaa dddddd nppp xyuvB j 0001",
                        "DSET.bf.cmp.logic d.cc, a, b, q")
                .add(
                        "00011 eeee hhtqqq - {b=double} aaaaaa DDDEEE nppp xyuv- j 0001",
                        "DSETP.cmp.logic p, p2, a, b, q")
                .forms();
    }
}
