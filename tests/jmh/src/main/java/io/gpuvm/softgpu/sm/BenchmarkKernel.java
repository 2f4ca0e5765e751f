package io.gpuvm.softgpu.sm;

/// Kernels to measure, as assembler text. A block has 256 threads. Constant bank 0 starts with the
/// address of [KernelMemory#DATA]. Each kernel counts R10 up to 200 in its loop.
public enum BenchmarkKernel {
    /// Integer multiply-add.
    INTEGER(
            """
            IMAD R1, R1, R5, R6
            IMAD R2, R2, R5, R6
            IMAD R3, R3, R5, R6
            IMAD R4, R4, R5, R6
            IMAD R1, R1, R5, R6
            IMAD R2, R2, R5, R6
            IMAD R3, R3, R5, R6
            IMAD R4, R4, R5, R6
            """),
    /// Single-precision fused multiply-add.
    FLOAT(
            """
            FFMA R1, R1, R7, R8
            FFMA R2, R2, R7, R8
            FFMA R3, R3, R7, R8
            FFMA R4, R4, R7, R8
            FFMA R1, R1, R7, R8
            FFMA R2, R2, R7, R8
            FFMA R3, R3, R7, R8
            FFMA R4, R4, R7, R8
            """),
    /// Double-precision fused multiply-add.
    DOUBLE(
            """
            DFMA R20, R20, R12, R14
            DFMA R22, R22, R12, R14
            DFMA R20, R20, R12, R14
            DFMA R22, R22, R12, R14
            """),
    /// Copy with consecutive addresses in a warp.
    COPY(
            """
            LD.E R1, [R16]
            LD.E R2, [R16+0x400]
            ST.E [R16+0x10000], R1
            ST.E [R16+0x10400], R2
            """),
    /// Transposition of a tile of 32 by 32 words through shared memory.
    TRANSPOSE(
            """
            LDS R1, [R18]
            LDS R2, [R18+0x420]
            BAR.SYNC 0
            STS [R19], R1
            STS [R19+0x20], R2
            BAR.SYNC 0
            """),
    /// Loads and stores in which each lane of a warp accesses another page.
    SCATTERED(
            """
            SHL R20, R0, 0xc
            IADD R20, R20, R16
            MOV R21, R17
            LD.E R1, [R20]
            LD.E R2, [R20+0x400]
            ST.E [R20+0x10000], R1
            ST.E [R20+0x10400], R2
            """),
    /// Spills to local memory.
    LOCAL(
            """
            STL [0x0], R0
            LDL R1, [0x0]
            STL.64 [0x8], R16
            LDL.64 R2, [0x8]
            """),
    /// Two branches of a condition, and a loop that lanes exit one after another.
    DIVERGENT(
            """
            SSY join
            @P1 BRA even
            IADD R1, R1, 0x3
            NOP.S CC.T
            even: IADD R1, R1, 0x5
            NOP.S CC.T
            join: PBK done
            MOV R2, R0
            again: IADD R2, R2, -0x1
            ISETP.LT P2, R2, 0x8
            @P2 BRK
            BRA again
            done: NOP CC.T
            """);

    private static final String START =
            """
            S2R R0, SR_TID.X
            MOV32I R5, 0x3039
            MOV32I R6, 0x1
            MOV32I R7, 0x3f666666
            MOV32I R8, 0x3f800000
            MOV32I R13, 0x3fe00000
            MOV32I R15, 0x3ff00000
            SHL R16, R0, 0x2
            MOV R17, c[0x0][0x4]
            IADD R16, R16, c[0x0][0x0]
            LOP.AND R18, R0, 0x1f
            SHR.U32 R19, R0, 0x5
            IMAD R18, R18, 0x84, R19
            SHL R19, R0, 0x2
            LOP.AND R0, R0, 0x1f
            LOP.AND R1, R0, 0x1
            ISETP.EQ P1, R1, 0x0
            SHL R18, R18, 0x2
            LOP.AND R18, R18, 0xffc
            LOP.AND R19, R19, 0xffc
            loop:
            """;

    private static final String END =
            """
            IADD R10, R10, 0x1
            ISETP.LT P0, R10, 0xc8
            @P0 BRA loop
            EXIT
            """;

    private final String body;

    BenchmarkKernel(String body) {
        this.body = body;
    }

    /// Returns the text of the whole kernel.
    String text() {
        return START + body + END;
    }
}
