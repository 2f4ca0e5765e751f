package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Equality of kernels.
@Tag("own-mode")
class KernelContentTest {
    private static final int REGISTERS = 20;
    private static final String ADD = "IADD R0, R0, 0x1\nEXIT";

    private static KernelContent content(long[] words, int entry, int registers) {
        KernelCode code =
                KernelCode.of(
                        pc ->
                                pc / Instruction.BYTES < words.length
                                        ? Decoder.decode(
                                                words[pc / Instruction.BYTES], pc, registers)
                                        : null,
                        entry,
                        Kernels.MOST_INSTRUCTIONS);
        return KernelContent.of(code, registers);
    }

    private static KernelContent content(String text) {
        return content(Assembler.code("test", text), 0, REGISTERS);
    }

    @Test
    void givenSameWords_whenCompared_thenContentsAreEqual() {
        assertEquals(content(ADD), content(ADD));
        assertEquals(content(ADD).hashCode(), content(ADD).hashCode());
        assertEquals(0, content(ADD).compareTo(content(ADD)));
        assertEquals(2, content(ADD).instructions());
    }

    @Test
    void givenUnreachableWords_whenCompared_thenWordsAreIgnored() {
        assertEquals(content(ADD), content(ADD + "\nIADD R1, R1, 0x2"));
    }

    @Test
    void givenDifferentWord_whenCompared_thenContentsDiffer() {
        assertNotEquals(content(ADD), content("IADD R0, R0, 0x2\nEXIT"));
    }

    @Test
    void givenSameWordsWithDifferentRegisterCount_whenCompared_thenContentsDiffer() {
        long[] words = Assembler.code("test", ADD);
        assertNotEquals(content(words, 0, REGISTERS), content(words, 0, REGISTERS + 1));
    }

    @Test
    void givenSameWordsAtDifferentOffset_whenCompared_thenContentsDiffer() {
        long[] words = Assembler.code("test", ADD);
        long[] later = Assembler.code("test", "NOP\n" + ADD);
        assertNotEquals(content(words, 0, REGISTERS), content(later, Instruction.BYTES, REGISTERS));
    }

    @Test
    void givenSameWordsWithDifferentEntry_whenCompared_thenContentsDiffer() {
        long[] words = Assembler.code("test", "start: IADD R0, R0, 0x1\nBRA start");
        assertNotEquals(content(words, 0, REGISTERS), content(words, Instruction.BYTES, REGISTERS));
    }

    @Test
    void givenWordsWithEqualHashes_whenLookedUp_thenKernelsAreSeparate() {
        // A bit in both halves of a word cancels out; both bits belong to an addition's immediate
        // operand.
        long[] words = Assembler.code("test", ADD);
        long[] alike = words.clone();
        alike[0] ^= 1L << 32 + 26 | 1L << 26;
        KernelContent one = content(words, 0, REGISTERS);
        KernelContent other = content(alike, 0, REGISTERS);
        assertEquals(one.hashCode(), other.hashCode());
        assertNotEquals(one, other);
        assertEquals(-one.compareTo(other), other.compareTo(one));
        KernelTable table = new KernelTable(Kernels.MOST_INSTRUCTIONS);
        Kernel first = table.kernel(one);
        assertNotEquals(first, table.kernel(other));
        assertEquals(first, table.kernel(content(words, 0, REGISTERS)));
        assertEquals(2, table.size());
    }
}
