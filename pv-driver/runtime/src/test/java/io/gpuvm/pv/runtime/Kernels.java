package io.gpuvm.pv.runtime;

/// Kernels for tests.
final class Kernels {
    /// Code that sets R0 to the index of the thread in a one-dimensional grid, and R2 to the
    /// address of the thread's word of `out`.
    private static final String OWN_WORD =
            """
                    S2R R0, SR_CTAID.X
                    S2R R1, SR_TID.X
                    IMAD.U32.U32 R0, R0, c[0][8], R1
                    MOV R4, 4
                    IMUL.U32.U32.HI R5, R0, R4
                    IMAD.U32.U32 R2.CC, R0, R4, c[out]
                    IADD.X R3, R5, c[out + 4]
            """;

    /// Kernel that stores the index of each thread plus `added`.
    static final String NUMBER =
            ".kernel number\n.param out, 8\n.param added, 4\n"
                    + OWN_WORD
                    + """
                            IADD R4, R0, c[added]
                            ST.E [R2], R4
                            EXIT
                    .end
                    """;

    /// Kernel that adds `added` to the word of each thread.
    static final String ADD =
            ".kernel add\n.param out, 8\n.param added, 4\n"
                    + OWN_WORD
                    + """
                            LD.E R4, [R2]
                            IADD R4, R4, c[added]
                            ST.E [R2], R4
                            EXIT
                    .end
                    """;

    /// Kernel that stores the index of each thread in local memory, and copies the index from there
    /// to `out`.
    static final String LOCAL =
            ".kernel local\n.param out, 8\n.local place, 64\n"
                    + OWN_WORD
                    + """
                            STL [place + 32], R0
                            LDL R4, [place + 32]
                            ST.E [R2], R4
                            EXIT
                    .end
                    """;

    /// Kernel in which each thread stores the index that another thread of its block has written to
    /// dynamic shared memory.
    static final String REVERSE =
            ".kernel reverse\n.param out, 8\n.shared fixed, 16\n"
                    + OWN_WORD
                    + """
                            SHL R6, R1, 2
                            STS [R6 + 16], R0
                            BAR.SYNC 0
                            MOV R7, c[0][8]
                            IADD R7, R7, -1
                            IADD R7, R7, -R1
                            SHL R7, R7, 2
                            LDS R4, [R7 + 16]
                            ST.E [R2], R4
                            EXIT
                    .end
                    """;

    /// Kernel that stores block and grid sizes from bank 0.
    static final String SHAPE =
            """
            .kernel shape
                    .param out, 8
                    MOV R2, c[out]
                    MOV R3, c[out + 4]
                    MOV R4, c[0][0x8]
                    ST.E [R2], R4
                    MOV R4, c[0][0xc]
                    ST.E [R2 + 4], R4
                    MOV R4, c[0][0x10]
                    ST.E [R2 + 8], R4
                    MOV R4, c[0][0x14]
                    ST.E [R2 + 12], R4
                    MOV R4, c[0][0x18]
                    ST.E [R2 + 16], R4
                    MOV R4, c[0][0x1c]
                    ST.E [R2 + 20], R4
                    EXIT
            .end
            """;

    /// Kernel that stores a constant of the module to a 32-bit address.
    static final String NARROW =
            """
            .width 32
            .constant 2
            spare:  .long 1
            factor: .long 42
            .kernel narrow
                    .param out, 4
                    MOV R2, c[out]
                    MOV R3, c[2][4]
                    ST [R2], R3
                    EXIT
            .end
            """;

    /// Empty kernel.
    static final String NOP = ".kernel nop\nEXIT\n.end\n";

    /// Unmapped address.
    static final long NOWHERE = 1L << 38;

    /// Kernel with a word that is not an instruction.
    static final String ILLEGAL = ".kernel illegal\n.word 0xffffffffffffdfff\nEXIT\n.end\n";

    /// Endless kernel.
    static final String ENDLESS = ".kernel endless\nagain: BRA again\nEXIT\n.end\n";

    /// Kernel that stores to the address in its parameter.
    static final String POKE =
            """
            .kernel poke
                    .param where, 8
                    MOV R2, c[where]
                    MOV R3, c[where + 4]
                    ST.E [R2], R0
                    EXIT
            .end
            """;

    /// Kernel that waits until a word of memory is not zero.
    static final String SPIN =
            """
            .kernel spin
                    .param flag, 8
                    MOV R2, c[flag]
                    MOV R3, c[flag + 4]
            look:   LD.E.CV R4, [R2]
                    ISETP.EQ P0, R4, RZ
                    @P0 BRA look
                    EXIT
            .end
            """;

    private Kernels() {}
}
