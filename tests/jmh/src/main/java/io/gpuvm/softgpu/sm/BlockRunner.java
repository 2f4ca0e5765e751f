package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.asm.Assembler;

/// Runner of one block of 256 threads of a kernel, on a separate multiprocessor. Counts warp
/// instructions. Confined to one thread.
final class BlockRunner implements AutoCloseable {
    private final KernelMemory memory;
    private final Kernels kernels;
    private final Sm sm;
    private final Safepoint safepoint = this::count;
    private long warpInstructions;

    /// @param name name in messages
    /// @param text assembler text
    BlockRunner(String name, String text, ExecutionMode mode) {
        memory = new KernelMemory(Assembler.code(name, text));
        kernels = new Kernels(mode);
        sm = new Sm(0, memory.mmu(), System::nanoTime, kernels);
        sm.load(memory.launch());
    }

    /// Returns the memory of the kernel.
    KernelMemory memory() {
        return memory;
    }

    /// Returns the number of warp instructions since the last call.
    long takeWarpInstructions() {
        long count = warpInstructions;
        warpInstructions = 0;
        return count;
    }

    /// Runs the block.
    void run() {
        sm.begin(0);
        Outcome outcome = sm.run(safepoint);
        if (outcome != Outcome.BLOCK_DONE) {
            throw new IllegalStateException(outcome + " " + sm.trap());
        }
    }

    private boolean count(int instructions) {
        warpInstructions += instructions;
        return false;
    }

    @Override
    public void close() {
        kernels.close();
        memory.close();
    }
}
