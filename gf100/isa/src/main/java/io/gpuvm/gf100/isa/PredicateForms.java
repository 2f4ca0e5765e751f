package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the logic operations on predicates and the condition code, and of the votes.
final class PredicateForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('h', Field.LOGIC)
                    .and('O', Field.LOGIC_INNER)
                    .and('D', Field.PDST)
                    .and('E', Field.PDST_2)
                    .and('A', Field.PSRC_A)
                    .and('F', Field.PSRC_A_NOT)
                    .and('Q', Field.PSRC_B)
                    .and('G', Field.PSRC_B_NOT)
                    .and('B', Field.BOOLEAN_FLOAT)
                    .and('V', Field.VOTE)
                    .and('T', Field.TEST);

    private PredicateForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "00001 1--- hhtqqq - ----------------OOGQQQ --FAAA DDDEEE nppp ----- j 0100",
                        "PSETP.inner.logic p, p2, qa, qb, q")
                .add(
                        "01001 0-DD D----- - ---------------------- --tqqq dddddd nppp --0VV j 0100",
                        "VOTE.vote d, p, q")
                .add(
                        "00000 0--- hhtqqq C ---------------------- -TTTTT dddddd nppp ----B j 0100",
                        "CSET.bf.logic d.cc, test, q")
                .add(
                        "00000 1--- hhtqqq - ---------------------- -TTTTT DDDEEE nppp ----- j 0100",
                        "CSETP.logic p, p2, test, q")
                .add(
                        "00001 0--- hhtqqq C ----------------OOGQQQ --FAAA dddddd nppp ----B j 0100",
                        "PSET.bf.inner.logic d.cc, qa, qb, q")
                .forms();
    }
}
