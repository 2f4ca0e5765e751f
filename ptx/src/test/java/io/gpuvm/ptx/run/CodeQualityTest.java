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

    @Test
    void givenExtendedIndex_whenShiftedAndAdded_thenAddressTakesTwoInstructions() {
        String body =
                """
                sub.s32 %t2, %i, 1;
                cvt.s64.s32 %rd1, %t2;
                shl.b64 %rd1, %rd1, 2;
                ld.param.u64 %rd2, [p];
                add.s64 %rd2, %rd2, %rd1;
                ld.global.u32 %t1, [%rd2+4];
                """;
        CodeShape shape = shape("", body);
        assertEquals(0, shape.count(Opcode.SHR), shape.toString());
        assertEquals(0, shape.count(Opcode.LOP), shape.toString());
        BodyKernel.check("", body, BodyKernel::in);
    }

    @Test
    void givenSigns_whenChangedBeforeUse_thenInstructionsHaveModifiers() {
        String body =
                """
                cvt.rn.f32.u32 %f1, %t0;
                neg.f32 %f2, %f1;
                fma.rn.f32 %f3, %f2, %f1, %f2;
                abs.f32 %f4, %f3;
                add.f32 %f5, %f4, 0f3F800000;
                setp.lt.f32 %p0, %f3, 0f00000000;
                setp.gt.u32 %p1, %i, 3;
                and.pred %p2, %p0, %p1;
                not.pred %p3, %p2;
                cvt.rzi.u32.f32 %t1, %f5;
                selp.u32 %t1, 7, %t1, %p3;
                """;
        CodeShape shape = shape("", body);
        assertEquals(0, shape.count(Opcode.LOP), shape.toString());
        assertEquals(0, shape.count(Opcode.PSETP), shape.toString());
        BodyKernel.check(
                "",
                body,
                i -> {
                    int word = BodyKernel.in(i);
                    return i > 3 ? word * word + word + 1 : 7;
                });
    }

    @Test
    void givenLoop_whenCompiled_thenOneBranchRepeatsIt() {
        String body =
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                LOOP:
                add.u32 %t1, %t1, %t2;
                add.u32 %t2, %t2, 1;
                setp.lt.u32 %p1, %t2, %i;
                @%p1 bra LOOP;
                """;
        CodeShape shape = shape("", body);
        assertEquals(1, shape.count(Opcode.BRA), shape.toString());
        assertEquals(1, shape.count(Opcode.SSY), shape.toString());
        BodyKernel.check("", body, i -> i * (i - 1) / 2);
    }
}
