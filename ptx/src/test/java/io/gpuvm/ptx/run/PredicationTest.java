package io.gpuvm.ptx.run;

import org.junit.jupiter.api.Test;

/// Instructions under guards: threads that a guard excludes neither take part nor lose a result.
class PredicationTest {
    @Test
    void givenSumWithCarryUnderGuard_whenCarryDependsOnPath_thenExcludedThreadsKeepCarry() {
        BodyKernel.check(
                "",
                """
                and.b32 %t2, %i, 1;
                setp.ne.u32 %p0, %t2, 0;
                and.b32 %t3, %i, 2;
                setp.ne.u32 %p1, %t3, 0;
                @%p0 bra ODD;
                add.cc.u32 %t4, %t0, 0;
                bra JOIN;
                ODD:
                add.cc.u32 %t4, %t0, -1;
                JOIN:
                @%p1 add.cc.u32 %t5, %t0, 0;
                addc.u32 %t1, %t0, 0;
                """,
                i -> BodyKernel.in(i) + ((i & 3) == 1 ? 1 : 0));
    }

    /// The warps arrive at the same barrier by different instructions.
    @Test
    void givenBarriersWithReductionUnderGuards_whenWarpsDiffer_thenEachWarpArrivesOnce() {
        final int odd = 16;
        final int multiplesOfFour = 8;
        BodyKernel.check(
                "",
                """
                setp.lt.u32 %p0, %i, 32;
                and.b32 %t2, %i, 1;
                setp.ne.u32 %p1, %t2, 0;
                and.b32 %t3, %i, 3;
                setp.eq.u32 %p2, %t3, 0;
                mov.u32 %t1, 0;
                @%p0 bar.red.popc.u32 %t1, 1, 64, %p1;
                @!%p0 bar.red.popc.u32 %t1, 1, 64, %p2;
                """,
                i -> odd + multiplesOfFour);
    }

    @Test
    void givenBarrierWithPredicateUnderGuard_whenNoThreadExecutesIt_thenPredicateIsKept() {
        BodyKernel.check(
                "",
                """
                setp.lt.u32 %p0, %i, 64;
                and.b32 %t2, %i, 1;
                setp.ne.u32 %p1, %t2, 0;
                @!%p0 bar.red.and.pred %p1, 2, 32, %p0;
                selp.u32 %t1, 5, 6, %p1;
                """,
                i -> (i & 1) != 0 ? 5 : 6);
    }
}
