package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.softgpu.mmu.AddressSpace;
import java.util.function.LongSupplier;

/// One streaming multiprocessor: runs the blocks of a launch, one at a time.
///
/// Used by one thread at a time, which need not be the same always; whoever hands an Sm from one
/// thread to another takes care that the first one's writes are seen. What blocks on several
/// threads do to global memory is ordered as the hardware orders it: atomics are atomic, other
/// accesses are not, fences are fences.
public final class Sm {
    private final int number;
    private final LongSupplier clockNs;
    private final AddressSpace space;

    private Launch launch;
    private SmTrap trap;
    private long block;

    /// @param number which of the GPU's multiprocessors it is, from 0 on: chooses its share of the
    ///   memory behind local memory
    /// @param mmu the GPU's
    /// @param clockNs the GPU's clock, as threads can read it; any thread
    public Sm(int number, Mmu mmu, LongSupplier clockNs) {
        this.number = number;
        this.clockNs = clockNs;
        space = new AddressSpace(mmu);
    }

    /// Which of the multiprocessors it is.
    public int number() {
        return number;
    }

    /// Takes up a launch. No block may be unfinished: see [#abandon()].
    public void load(Launch launch) {
        this.launch = launch;
        trap = null;
        space.load(launch.instanceTarget(), launch.instanceAddress());
    }

    /// Starts a block; [#run(Safepoint)] runs it.
    ///
    /// @param blockIndex its number in the grid, x counting quickest
    public void begin(long blockIndex) {
        block = blockIndex;
    }

    /// Runs the block until it ends, fails or has to stop.
    public Outcome run(Safepoint safepoint) {
        safepoint.stop((int) (clockNs.getAsLong() & 1));
        return Outcome.BLOCK_DONE;
    }

    /// What became of the block, if [Outcome#TRAPPED] was returned last.
    public SmTrap trap() {
        return trap;
    }

    /// Drops what has become stale if translations have: to be called before [#run(Safepoint)]
    /// whenever the register thread may have run since.
    public void refresh() {
        space.refresh();
    }

    /// Where an unfinished block is: the warp that ran last, its first thread.
    public Position position() {
        return new Position(
                launch.code().entryOffset(), 0, launch.grid().at(block), new Dimensions(0, 0, 0));
    }

    /// Forgets an unfinished block.
    public void abandon() {
        trap = null;
    }
}
