package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.NumericFormat;
import io.gpuvm.gf100.classes.TexelLayout;
import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.gf100.classes.WarpError;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Allocations during execution: none once the code has been decoded.
class SmAllocationTest {
    private static final int BLOCKS = 200;

    /// Limit of allocations: far less than one object per block, with allowance for the measurement
    /// itself.
    private static final long LIMIT_BYTES = BLOCKS * 8;

    /// Maximum stack size that a launch may declare, in bytes.
    private static final int HUGE_STACK_BYTES = 2 << 20;

    /// Limit for a block's stacks, including the arrays that they have outgrown, in bytes.
    private static final long STACKS_LIMIT_BYTES = 2 << 20;

    /// Address of texture headers in global memory.
    private static final int POOL = 0x8000;

    private static final String TEXT =
            """
                S2R R0, SR_TID.X
                S2R R9, SR_CTAID.X
                SHL R2, R0, 0x2
                MOV R3, c[0x0][0x4]
                IADD R2, R2, c[0x0][0x0]
                LDC R8, c[0x0][0x0]
            loop:
                LD.E R4, [R2]
                IADD R4.CC, R4, 0x1
                IADD.X R5, R4, RZ
                I2F.F32.S32 R5, R4
                FFMA R5, R5, R5, R5
                MUFU.RCP R5, R5
                F2I.S32.F32 R5, R5
                ST.E [R2], R4
                SHL R6, R0, 0x2
                STS [R6], R4
                BAR.SYNC 0
                LDS R7, [R6]
                TLD.LZ.T R16, R0, 0x2, 1D, 0xf
                TLD.LZ.T R20, R0, 0x3, 1D, 0x1
                ATOM.E.ADD R7, [R2], R4
                RED.E.MAX [R2], R4
                STL [0x0], R7
                LDL R7, [0x0]
                LOP.AND R7, R0, 0x1
                ISETP.EQ P1, R7, RZ
                SSY join
                @P1 BRA join1
                VOTE.ANY R7, P2, P1
                NOP.S CC.T
            join1:
                CAL function
                NOP.S CC.T
            join:
                IADD R10, R10, 0x1
                ISETP.LT P0, R10, 0x5
                @P0 BRA loop
                EXIT
            function:
                @!P1 RET
                DADD R12, R12, R12
                RET
            """;

    @Test
    void givenDecodedCode_whenBlocksRun_thenNoHeapMemoryIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Safepoint never = _ -> false;
        try (TestSm sm = new TestSm()) {
            sm.constants(0, (int) TestSm.DATA, (int) (TestSm.DATA >>> 32));
            texture(
                    sm,
                    0,
                    LinearTexture.of(TexelLayout.RGBA8, NumericFormat.UNORM, TestSm.DATA, 64));
            texture(
                    sm,
                    1,
                    LinearTexture.of(TexelLayout.R32, NumericFormat.FLOAT, TestSm.DATA, 128));
            sm.textures(new TextureBindings(TestSm.DATA + POOL, 1, Map.of(2, 0, 3, 1)));
            sm.code(TEXT).block(128, 1, 1).grid(BLOCKS, 1, 1).run();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int block = 0; block < BLOCKS; block++) {
                    sm.sm.begin(block);
                    sm.sm.run(never);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertTrue(least < LIMIT_BYTES, "bytes=" + least);
        }
    }

    private static void texture(TestSm sm, int number, LinearTexture texture) {
        int[] words = texture.words();
        for (int i = 0; i < words.length; i++) {
            sm.setWord(POOL + number * TextureHeader.BYTES + i * Integer.BYTES, words[i]);
        }
    }

    @Test
    void givenLaunchWithHugeDeclaredStacks_whenWarpsCallEndlessly_thenHostMemoryIsBounded() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (TestSm sm = new TestSm()) {
            // The first block creates warps and decoded code.
            sm.code("again: CAL again").block(1024, 1, 1).runToTrap();
            sm.callStackBytes(HUGE_STACK_BYTES).load();
            long before = threads.getCurrentThreadAllocatedBytes();
            sm.sm.begin(0);
            assertEquals(Outcome.TRAPPED, sm.sm.run(_ -> false));
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(bytes < STACKS_LIMIT_BYTES, "bytes=" + bytes);
            SmTrap.InstructionError trap = (SmTrap.InstructionError) sm.sm.trap();
            assertEquals(WarpError.STACK_ERROR, trap.error());
        }
    }
}
