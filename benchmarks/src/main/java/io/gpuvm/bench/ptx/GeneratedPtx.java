package io.gpuvm.bench.ptx;

/// PTX of any length for measurements: loops with loads, arithmetic, branches and stores, in the
/// proportions of clang's output for numeric kernels.
final class GeneratedPtx {
    private static final String HEAD =
            """
            .version 4.3
            .target sm_20
            .address_size 64
            """;

    private static final String BEGIN =
            """
            .visible .entry k%d(.param .u64 k%<d_p0, .param .u64 k%<d_p1, .param .u32 k%<d_p2)
            {
              .reg .pred %%p<%2$d>;
              .reg .b32 %%r<%2$d>;
              .reg .f32 %%f<%2$d>;
              .reg .f64 %%fd<%2$d>;
              .reg .b64 %%rd<%2$d>;
              ld.param.u64 %%rd1, [k%1$d_p0];
              ld.param.u64 %%rd2, [k%1$d_p1];
              ld.param.u32 %%r1, [k%1$d_p2];
              cvta.to.global.u64 %%rd3, %%rd1;
              cvta.to.global.u64 %%rd4, %%rd2;
              mov.u32 %%r2, %%tid.x;
              mov.u32 %%r3, %%ctaid.x;
              mov.u32 %%r4, %%ntid.x;
              mad.lo.s32 %%r5, %%r3, %%r4, %%r2;
              mov.f32 %%f1, 0f3F800000;
            """;
    private static final int BEGIN_INSTRUCTIONS = 10;

    /// Part with a loop and a branch; numbers are those of its registers and of the previous
    /// part's.
    private static final String PART =
            """
              add.s32 %%r%1$d, %%r5, %2$d;
              mul.wide.s32 %%rd%1$d, %%r%1$d, 4;
              add.s64 %%rd%3$d, %%rd3, %%rd%1$d;
              add.s64 %%rd%4$d, %%rd4, %%rd%1$d;
              mov.u32 %%r%3$d, 0;
            $L%1$d:
              ld.global.f32 %%f%1$d, [%%rd%3$d];
              ld.global.f32 %%f%3$d, [%%rd%3$d+4];
              fma.rn.f32 %%f%4$d, %%f%1$d, %%f%3$d, %%f1;
              setp.lt.f32 %%p%1$d, %%f%4$d, 0f00000000;
              @%%p%1$d bra $M%1$d;
              mul.f32 %%f1, %%f%4$d, 0f3F000000;
              cvt.f64.f32 %%fd%1$d, %%f1;
              add.f64 %%fd%3$d, %%fd%1$d, 0d3FF0000000000000;
              cvt.rn.f32.f64 %%f1, %%fd%3$d;
              bra.uni $N%1$d;
            $M%1$d:
              and.b32 %%r%4$d, %%r%1$d, 255;
              shl.b32 %%r%5$d, %%r%4$d, 3;
              xor.b32 %%r%1$d, %%r%5$d, %%r2;
              cvt.rn.f32.s32 %%f%5$d, %%r%1$d;
              sub.f32 %%f1, %%f1, %%f%5$d;
            $N%1$d:
              st.global.f32 [%%rd%4$d], %%f1;
              add.s64 %%rd%3$d, %%rd%3$d, 8;
              add.s32 %%r%3$d, %%r%3$d, 1;
              setp.lt.u32 %%p%3$d, %%r%3$d, %%r1;
              @%%p%3$d bra $L%1$d;
            """;

    private static final int PART_INSTRUCTIONS = 25;
    private static final int PART_REGISTERS = 4;
    private static final int FIRST_REGISTER = 6;

    private GeneratedPtx() {}

    /// Returns a module with about as many instructions.
    ///
    /// @param kernels number of kernels among which the instructions are divided
    static String of(int instructions, int kernels) {
        StringBuilder text = new StringBuilder(HEAD);
        int parts = Math.max(1, (instructions / kernels - BEGIN_INSTRUCTIONS) / PART_INSTRUCTIONS);
        for (int kernel = 0; kernel < kernels; kernel++) {
            int registers = FIRST_REGISTER + parts * PART_REGISTERS;
            text.append(BEGIN.formatted(kernel, registers));
            for (int part = 0; part < parts; part++) {
                int first = FIRST_REGISTER + part * PART_REGISTERS;
                text.append(PART.formatted(first, part * 7, first + 1, first + 2, first + 3));
            }
            text.append("  ret;\n}\n");
        }
        return text.toString();
    }
}
