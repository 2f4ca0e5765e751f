package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.PtxOptions;
import org.junit.jupiter.api.Test;

/// Accesses to consecutive words, which become accesses of 64 or 128 bits.
class VectorAccessTest {
    private static final String SHARED = ".shared .align 16 .b8 words[1024];";

    private static CodeShape shape(String body) {
        return CodeShape.of(
                BodyKernel.compile(BodyKernel.source(SHARED, body), PtxOptions.DEFAULT));
    }

    @Test
    void givenConsecutiveWordsAtAlignedAddress_whenAccessed_thenOneAccessRemains() {
        String body =
                """
                mov.u32 %t2, words;
                mad.lo.u32 %t2, %i, 16, %t2;
                st.shared.u32 [%t2+8], %t0;
                st.shared.u32 [%t2], %i;
                st.shared.u32 [%t2+12], 5;
                st.shared.u32 [%t2+4], 0;
                ld.shared.u32 %t3, [%t2+12];
                ld.shared.u32 %t4, [%t2+8];
                ld.shared.u32 %t5, [%t2];
                ld.shared.u32 %t6, [%t2+4];
                mad.lo.u32 %t1, %t3, 1000, %t4;
                mad.lo.u32 %t1, %t5, 100000, %t1;
                add.u32 %t1, %t1, %t6;
                """;
        CodeShape shape = shape(body);
        assertEquals(1, shape.count(Opcode.STS), shape.toString());
        assertEquals(1, shape.count(Opcode.LDS), shape.toString());
        BodyKernel.check(SHARED, body, i -> 5000 + BodyKernel.in(i) + 100000 * i);
    }

    @Test
    void givenAddressOfUnknownAlignment_whenAccessed_thenAccessesRemain() {
        String body =
                """
                mov.u32 %t2, words;
                mad.lo.u32 %t2, %i, 12, %t2;
                st.shared.u32 [%t2], %t0;
                st.shared.u32 [%t2+4], 7;
                ld.shared.u32 %t3, [%t2];
                ld.shared.u32 %t4, [%t2+4];
                add.u32 %t1, %t3, %t4;
                """;
        assertEquals(2, shape(body).count(Opcode.STS));
        assertEquals(2, shape(body).count(Opcode.LDS));
        BodyKernel.check(SHARED, body, i -> BodyKernel.in(i) + 7);
    }

    @Test
    void givenVolatileAccesses_whenConsecutive_thenAccessesRemain() {
        String body =
                """
                mov.u32 %t2, words;
                mad.lo.u32 %t2, %i, 8, %t2;
                st.volatile.shared.u32 [%t2], %t0;
                st.volatile.shared.u32 [%t2+4], 7;
                ld.volatile.shared.u32 %t3, [%t2];
                ld.volatile.shared.u32 %t4, [%t2+4];
                add.u32 %t1, %t3, %t4;
                """;
        assertEquals(2, shape(body).count(Opcode.STS));
        assertEquals(2, shape(body).count(Opcode.LDS));
    }

    @Test
    void givenStoreBetweenLoads_whenItMayChangeTheirWords_thenLoadsAreNotMovedAcross() {
        String body =
                """
                mov.u32 %t2, words;
                mad.lo.u32 %t2, %i, 8, %t2;
                st.shared.v2.u32 [%t2], {%t0, %i};
                ld.shared.u32 %t3, [%t2];
                st.shared.u32 [%t2+4], 9;
                ld.shared.u32 %t4, [%t2+4];
                add.u32 %t1, %t3, %t4;
                """;
        assertEquals(2, shape(body).count(Opcode.LDS));
        BodyKernel.check(SHARED, body, i -> BodyKernel.in(i) + 9);
    }

    @Test
    void givenStoresToOneWord_whenRepeated_thenLastRemains() {
        String body =
                """
                mov.u32 %t2, words;
                mad.lo.u32 %t2, %i, 8, %t2;
                st.shared.u32 [%t2], 1;
                st.shared.u32 [%t2+4], 2;
                st.shared.u32 [%t2], 3;
                ld.shared.u32 %t3, [%t2];
                ld.shared.u32 %t4, [%t2+4];
                mad.lo.u32 %t1, %t3, 10, %t4;
                """;
        BodyKernel.check(SHARED, body, i -> 32);
    }
}
