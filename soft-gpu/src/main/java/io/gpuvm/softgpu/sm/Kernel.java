package io.gpuvm.softgpu.sm;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Kernel that multiprocessors of a GPU have executed, and the state of its compilation.
///
/// A kernel is compiled at most once. Any thread.
final class Kernel {
    /// Fixed cost of a compilation, in warp instructions that the interpreter executes in the same
    /// time. Measured: 1 ms for a class, 80 ns for a warp instruction.
    private static final long COST = 1 << 14;

    /// Cost of compiling one instruction of a kernel, in the same unit. Measured: 12 µs.
    private static final long COST_OF_INSTRUCTION = 1 << 8;

    /// Value of [#due] that is never reached.
    private static final long NEVER = Long.MAX_VALUE;

    private final KernelContent content;
    private final long cost;
    private final AtomicLong interpreted = new AtomicLong();
    private volatile long due;
    private volatile CompiledKernel compiled;
    private volatile boolean isSettled;
    private volatile long lastUse;
    private volatile boolean isKept;

    /// Reference to this kernel in its table.
    private KernelReference reference;

    Kernel(KernelContent content) {
        this.content = content;
        cost = COST + content.instructions() * COST_OF_INSTRUCTION;
        due = cost;
    }

    KernelContent content() {
        return content;
    }

    /// Returns the compiled kernel; null if the interpreter executes the kernel, for now or
    /// permanently.
    CompiledKernel compiled() {
        return compiled;
    }

    /// Returns whether compilation has succeeded or failed.
    boolean isSettled() {
        return isSettled;
    }

    /// Compiles the kernel unless compilation was tried before; waits for a compilation in
    /// progress.
    ///
    /// @param compiler returns null if it fails
    /// @return whether this call tried the compilation
    synchronized boolean compile(Supplier<CompiledKernel> compiler) {
        if (isSettled) {
            return false;
        }
        compiled = compiler.get();
        isSettled = true;
        due = NEVER;
        return true;
    }

    /// Counts warp instructions of the kernel that the interpreter executed.
    ///
    /// @return whether compilation is due
    boolean interpreted(long warpInstructions) {
        return interpreted.addAndGet(warpInstructions) >= due;
    }

    /// Returns whether compilation is due: interpretation has cost as much as compilation would
    /// cost.
    boolean isDue() {
        return interpreted.get() >= due;
    }

    /// Returns the accumulated cost of interpretation, as a multiple of the cost of compilation.
    double worth() {
        return (double) interpreted.get() / cost;
    }

    /// Records that compilation was requested.
    void requested() {
        due = NEVER;
    }

    /// Records that a request was dropped: compilation is due again when the kernel is worth twice
    /// as much.
    void postpone() {
        due = 2 * interpreted.get();
    }

    /// Returns the table's count of uses at the last use of this kernel.
    long lastUse() {
        return lastUse;
    }

    void usedAt(long use) {
        lastUse = use;
    }

    /// Returns whether the kernel is kept while it is not in use.
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
