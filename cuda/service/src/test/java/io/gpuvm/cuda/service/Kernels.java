package io.gpuvm.cuda.service;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;

/// Modules for tests.
public final class Kernels {
    /// Index of each kernel of [#MODULE] in its description.
    public static final int NUMBER = 0;

    public static final int ADD = 1;
    public static final int SPIN = 2;
    public static final int POKE = 3;
    public static final int ILLEGAL = 4;
    public static final int ENDLESS = 5;
    public static final int MISALIGNED = 6;
    public static final int LOCAL = 7;
    public static final int TRAP = 8;

    /// Number of kernels of [#MODULE].
    public static final int COUNT = 9;

    /// Unmapped address.
    public static final long NOWHERE = 1L << 38;

    /// Length of the parameters of [#NUMBER], [#ADD] and [#LOCAL]: an address and an integer.
    public static final int BYTES_OF_TWO = 12;

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

    public static final String MODULE =
            """
            .constant 2
            factor: .long 42
            .kernel number
                    .param out, 8
                    .param added, 4
            %1$s
                    IADD R4, R0, c[added]
                    ST.E [R2], R4
                    EXIT
            .end
            .kernel add
                    .param out, 8
                    .param added, 4
            %1$s
                    LD.E R4, [R2]
                    IADD R4, R4, c[added]
                    ST.E [R2], R4
                    EXIT
            .end
            .kernel spin
                    .param flag, 8
                    MOV R2, c[flag]
                    MOV R3, c[flag + 4]
            look:   LD.E.CV R4, [R2]
                    ISETP.EQ P0, R4, RZ
                    @P0 BRA look
                    EXIT
            .end
            .kernel poke
                    .param where, 8
                    MOV R2, c[where]
                    MOV R3, c[where + 4]
                    ST.E [R2], R0
                    EXIT
            .end
            .kernel illegal
                    .word 0xffffffffffffdfff
                    EXIT
            .end
            .kernel endless
            again:  BRA again
                    EXIT
            .end
            .kernel misaligned
                    .param where, 8
                    MOV R2, c[where]
                    MOV R3, c[where + 4]
                    ST.E [R2 + 1], R0
                    EXIT
            .end
            .kernel local
                    .param out, 8
                    .param added, 4
                    .local place, 20000
            %1$s
                    STL [place + 32], R0
                    LDL R4, [place + 32]
                    ST.E [R2], R4
                    EXIT
            .end
            .kernel trap
                    BPT.TRAP 1
                    EXIT
            .end
            """
                    .formatted(OWN_WORD);

    /// Kernel with an address and an integer as parameters, whose assertion fails.
    private static final String ASSERTION =
            """
            .version 4.3
            .target sm_20
            .address_size 64
            .extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,
              .param .b64 n, .param .b64 s);
            .global .align 1 .b8 text[2] = {102, 0};
            .visible .entry check(.param .u64 unused, .param .u32 other) {
              .reg .b64 %a;
              mov.u64 %a, text;
              cvta.global.u64 %a, %a;
              call __assertfail, (%a, %a, 7, %a, 1);
              ret;
            }
            """;

    /// Kernel with an address and an integer as parameters, with a store in line 42.
    private static final String WITH_LINES =
            """
            .version 4.3
            .target sm_20
            .address_size 64
            .file 1 "FILE"
            .visible .entry store(.param .u64 out, .param .u32 value) {
              .reg .b64 %a;
              .reg .b32 %v;
              .loc 1 41 3
              ld.param.u64 %a, [out];
              ld.param.u32 %v, [value];
              .loc 1 42 5
              st.global.u32 [%a], %v;
              .loc 1 43 1
              ret;
            }
            """;

    private Kernels() {}

    /// Returns a module with a table of lines, whose kernel stores.
    ///
    /// @param file name of the source in the table
    public static byte[] withLines(String file) {
        String source = WITH_LINES.replace("FILE", file);
        return PtxCompiler.compile(source, PtxOptions.DEFAULT).cubin().toBytes();
    }

    /// Returns a module with a kernel whose assertion fails.
    public static byte[] assertion() {
        return PtxCompiler.compile(ASSERTION, PtxOptions.DEFAULT).cubin().toBytes();
    }

    public static byte[] cubin() {
        return cubin(MODULE);
    }

    public static byte[] cubin(String source) {
        return Assembler.assemble("test", source).toBytes();
    }
}
