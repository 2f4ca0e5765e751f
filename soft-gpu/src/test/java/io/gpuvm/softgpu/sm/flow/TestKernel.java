package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;

/// Test kernels, from assembler text.
final class TestKernel {
    private static final int REGISTERS = 63;
    private static final int MOST = 1 << 14;

    private TestKernel() {}

    static KernelCode of(String... lines) {
        return of(MOST, lines);
    }

    /// @param most maximum number of instructions to read
    static KernelCode of(int most, String... lines) {
        long[] words = Assembler.code("kernel", String.join("\n", lines));
        return KernelCode.of(pc -> at(words, pc), 0, most);
    }

    private static Instruction at(long[] words, int pc) {
        int n = pc / Instruction.BYTES;
        return pc < 0 || n >= words.length ? null : Decoder.decode(words[n], pc, REGISTERS);
    }
}
