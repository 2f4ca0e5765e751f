package io.gpuvm.softgpu.sm;

/// Kernels of any size with a typical mix in a loop: straight-line code of arithmetic, comparisons,
/// and loads from shared and global memory.
///
/// A thread's four values are read from [KernelMemory#DATA], in the layout of
/// [ThreadState#words()], and are written to the same address. The words loaded from global memory
/// follow them.
final class MixedBody {
    /// Number of instructions of a part. Three instructions are loads, one of them from global
    /// memory.
    private static final int PART_INSTRUCTIONS = 25;

    /// Start of a kernel. R0 to R3: a thread's values; R4: rounds; R5 to R8: constants of the loop;
    /// R16: address of the values; R18: address of the words to load; R15: offset of the thread's
    /// word of shared memory.
    private static final String START =
            """
            S2R R0, SR_TID.X
            SHL R15, R0, 0x2
            ISCADD R16, R0, c[0x0][0x0], 0x4
            MOV R17, c[0x0][0x4]
            MOV R18, c[0x0][0x0]
            IADD R18, R18, R15
            MOV R19, c[0x0][0x4]
            IADD R9, R0, 0x1
            I2F.F32.S32 R9, R9
            STS [R15], R9
            STS [R15+0x400], R9
            BAR.SYNC 0
            LD.E.128 R0, [R16]
            MOV32I R5, 0x3039
            MOV32I R6, 0x3f000000
            MOV32I R7, 0x3e800000
            MOV32I R8, 0x32800000
            MOV R4, RZ
            loop:
            """;

    private static final String PART =
            """
            LD.E R9, [R18+%#x]
            IMAD R0, R0, R5, R9
            SHR.U32 R10, R0, 0xf
            LOP.XOR R1, R1, R10
            LDS R11, [R15+%#x]
            FMUL R2, R2, R6
            FFMA R2, R11, R8, R2
            FFMA R3, R3, R7, R2
            IADD R1, R1, R0
            LOP.AND R12, R1, 0x3fc
            LDS R13, [R12+%#x]
            IADD R0, R0, R13
            SHL R10, R1, 0x7
            LOP.XOR R0, R0, R10
            FADD R14, R2, R3
            FFMA R3, R14, R7, R3
            FADD R2, R2, -R14
            ISETP.GT P1, R1, R0
            @P1 IADD R0, R0, 0x1
            SEL R10, R0, R1, P1
            IADD R20.CC, R0, R10
            IADD.X R21, R21, RZ
            IMAD R1, R10, R5, R1
            IMNMX R10, R20, R21, PT
            IADD R1, R1, R10
            """;

    private static final String END =
            """
            IADD R4, R4, 0x1
            ISETP.LT P0, R4, %#x
            @P0 BRA loop
            ST.E.128 [R16], R0
            EXIT
            """;

    /// Offset of the words that the kernel loads; they follow the values of all threads.
    private static final int LOADED = KernelMemory.THREADS * ThreadState.WORDS * Integer.BYTES;

    /// Distance between the loads of consecutive parts: one row of a block's words.
    private static final int ROW = KernelMemory.THREADS * Integer.BYTES;

    private static final int GLOBAL_ROWS = 64;
    private static final int SHARED_ROWS = 2;

    private MixedBody() {}

    /// Returns a kernel as assembler text.
    ///
    /// @param instructions number of instructions per round, without the three that count rounds; a
    ///   multiple of 25
    static String text(int instructions, int rounds) {
        if (instructions <= 0 || instructions % PART_INSTRUCTIONS != 0) {
            throw new IllegalArgumentException(
                    "instructions=%d, expected a multiple of %d, more than 0"
                            .formatted(instructions, PART_INSTRUCTIONS));
        }
        StringBuilder text = new StringBuilder(START);
        for (int part = 0; part < instructions / PART_INSTRUCTIONS; part++) {
            text.append(
                    PART.formatted(
                            LOADED + part % GLOBAL_ROWS * ROW,
                            part % SHARED_ROWS * ROW,
                            (part + 1) % SHARED_ROWS * ROW));
        }
        return text.append(END.formatted(rounds)).toString();
    }
}
