package io.gpuvm.softgpu.sm;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// A kernel that multiprocessors of a GPU have come across, and what has become of it.
///
/// It is compiled once at the most. Any thread.
final class Kernel {
    /// Warp instructions that the interpreter executes in the time that it takes to compile
    /// anything at all. Measured: 1 ms for a class, 80 ns for a warp instruction.
    private static final long COST = 1 << 14;

    /// What each instruction of a kernel adds to it. Measured: 12 µs to compile it.
    private static final long COST_OF_INSTRUCTION = 1 << 8;

    /// Due when nobody is to ask any more.
    private static final long NEVER = Long.MAX_VALUE;

    private final KernelContent content;
    private final long cost;
    private final AtomicLong interpreted = new AtomicLong();
    private volatile long due;
    private volatile CompiledKernel compiled;
    private volatile boolean isSettled;
    private volatile long lastUse;
    private volatile boolean isKept;

    /// How the table that it is in refers to it.
    private KernelReference reference;

    Kernel(KernelContent content) {
        this.content = content;
        cost = COST + content.instructions() * COST_OF_INSTRUCTION;
        due = cost;
    }

    KernelContent content() {
        return content;
    }

    /// What executes it; null if that is the interpreter, as yet or for good.
    CompiledKernel compiled() {
        return compiled;
    }

    /// Whether it has been compiled, or that has failed.
    boolean isSettled() {
        return isSettled;
    }

    /// Compiles it, unless somebody has tried before; waits for whoever is at it.
    ///
    /// @param compiler gives null if it can't
    /// @return whether it was done now
    synchronized boolean compile(Supplier<CompiledKernel> compiler) {
        if (isSettled) {
            return false;
        }
        compiled = compiler.get();
        isSettled = true;
        due = NEVER;
        return true;
    }

    /// Counts what the interpreter executed of it.
    ///
    /// @return whether it is time to ask that it be compiled
    boolean interpreted(long warpInstructions) {
        return interpreted.addAndGet(warpInstructions) >= due;
    }

    /// Whether it is time to ask that it be compiled: interpreting it has cost as much as that.
    boolean isDue() {
        return interpreted.get() >= due;
    }

    /// How often what it cost to interpret it would have paid for compiling it.
    double worth() {
        return (double) interpreted.get() / cost;
    }

    /// It has been asked for.
    void requested() {
        due = NEVER;
    }

    /// It was asked for in vain: it is due again when it is worth twice as much.
    void postpone() {
        due = 2 * interpreted.get();
    }

    /// When it was last used, in the count of its table.
    long lastUse() {
        return lastUse;
    }

    void usedAt(long use) {
        lastUse = use;
    }

    /// Whether it is among those that are kept without being in use.
    boolean isKept() {
        return isKept;
    }

    void kept(boolean kept) {
        isKept = kept;
    }

    KernelReference reference() {
        return reference;
    }

    void reference(KernelReference ofTable) {
        reference = ofTable;
    }
}
