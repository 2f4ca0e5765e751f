package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.PtxOptions;
import org.junit.jupiter.api.Test;

/// Optimizations that the code of small kernels shows, and their results.
class CodeQualityTest {
    private static CodeShape shape(String declarations, String body) {
        return CodeShape.of(
                BodyKernel.compile(BodyKernel.source(declarations, body), PtxOptions.DEFAULT));
    }

    @Test
    void givenShortConditions_whenCompiled_thenCodeHasNoBranch() {
        String body =
                """
                mov.u32 %t1, 5;
                setp.lt.u32 %p0, %i, 20;
                @!%p0 bra ELSE;
                add.u32 %t1, %t0, 7;
                setp.lt.u32 %p1, %i, 10;
                @!%p1 bra END;
                ld.global.u32 %t2, [%a];
                add.u32 %t1, %t1, %t2;
                bra END;
                ELSE:
                st.global.u32 [%a], 3;
                mul.lo.u32 %t1, %t0, 3;
                END:
                """;
        CodeShape shape = shape("", body);
        assertEquals(0, shape.count(Opcode.SSY), shape.toString());
        assertEquals(0, shape.count(Opcode.BRA), shape.toString());
        BodyKernel.check(
                "",
                body,
                i -> {
                    int word = BodyKernel.in(i);
                    return i < 10 ? 2 * word + 7 : i < 20 ? word + 7 : 3 * word;
                });
    }

    @Test
    void givenConditionWithPredicateResult_whenConverted_thenEachThreadHasItsOwn() {
        String body =
                """
                setp.lt.u32 %p0, %i, 20;
                setp.eq.u32 %p2, %i, 30;
                @%p0 bra LESS;
                setp.gt.u32 %p2, %i, 40;
                LESS:
                selp.u32 %t1, 1, 2, %p2;
                """;
        assertEquals(0, shape("", body).count(Opcode.SSY));
        BodyKernel.check("", body, i -> i > 40 ? 1 : 2);
    }

    @Test
    void givenLongCondition_whenCompiled_thenBranchRemains() {
        StringBuilder body = new StringBuilder("mov.u32 %t1, %t0; setp.lt.u32 %p0, %i, 20;\n");
        body.append("@%p0 bra END;\n");
        for (int k = 1; k < 20; k++) {
            body.append("mad.lo.u32 %%t1, %%t1, %%i, %d;\n".formatted(k));
        }
        body.append("END:\n");
        assertTrue(shape("", body.toString()).count(Opcode.SSY) > 0);
    }
}
