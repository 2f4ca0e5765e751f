package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.Arrays;

/// Decoded code: each word is fetched and decoded when it is first executed, and cached in pieces
/// of 128 instructions.
///
/// The cache contains no state of a warp: at any instruction boundary, another executor can
/// continue with the same cache. Confined to the thread that runs the block.
final class CodeCache {
    private static final int PIECE_SHIFT = 10;
    private static final int PIECE_INSTRUCTIONS = (1 << PIECE_SHIFT) / Instruction.BYTES;

    /// Maximum number of pieces, a power of two. The cache of 64 KiB of code occupies about 1 MiB.
    private static final int PIECES = 64;

    /// Word that stands for an instruction at a misaligned address.
    private static final long NO_WORD = 0;

    private final VirtualMemory memory;
    private final Instruction[][] pieces = new Instruction[PIECES][];

    /// Number of the piece in the code segment, by slot.
    private final int[] numbers = new int[PIECES];

    private CodeLocation location;
    private int registers;

    CodeCache(VirtualMemory memory) {
        this.memory = memory;
    }

    /// Selects the code.
    ///
    /// @param threadRegisters number of registers of a thread, which decides whether a word is
    ///   valid
    void load(CodeLocation code, int threadRegisters) {
        boolean same =
                location != null
                        && location.segmentGpuVa() == code.segmentGpuVa()
                        && location.version() == code.version()
                        && registers == threadRegisters;
        location = code;
        registers = threadRegisters;
        if (!same) {
            invalidate();
        }
    }

    /// Discards all decoded code.
    void invalidate() {
        Arrays.fill(pieces, null);
    }

    /// Returns the instruction at an offset in the code segment.
    ///
    /// @throws MmuFault if the page tables refuse the word
    Instruction at(int pc) {
        int number = pc >>> PIECE_SHIFT;
        int slot = number & PIECES - 1;
        Instruction[] piece = pieces[slot];
        if (piece == null || numbers[slot] != number) {
            piece = new Instruction[PIECE_INSTRUCTIONS];
            pieces[slot] = piece;
            numbers[slot] = number;
        }
        int index = pc / Instruction.BYTES & PIECE_INSTRUCTIONS - 1;
        Instruction instruction = piece[index];
        if (instruction == null || instruction.pc != pc) {
            instruction = fetch(pc);
            piece[index] = instruction;
        }
        return instruction;
    }

    /// Returns the instruction at an offset in the code segment, null if the page tables refuse the
    /// word.
    Instruction find(int pc) {
        try {
            return at(pc);
        } catch (MmuFault _) {
            return null;
        }
    }

    /// Returns whether memory, regardless of decoded code, contains a given word for the
    /// instruction at an offset in the code segment.
    boolean holds(int pc, long word) {
        if (isMisaligned(pc)) {
            return word == NO_WORD;
        }
        try {
            return read(pc) == word;
        } catch (MmuFault _) {
            return false;
        }
    }

    private Instruction fetch(int pc) {
        if (isMisaligned(pc)) {
            return Decoder.wrong(NO_WORD, pc, WarpError.MISALIGNED_PC);
        }
        return Decoder.decode(read(pc), pc, registers);
    }

    private static boolean isMisaligned(int pc) {
        return pc % Instruction.BYTES != 0;
    }

    private long read(int pc) {
        return memory.read64(location.segmentGpuVa() + Integer.toUnsignedLong(pc));
    }
}
