package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import java.util.function.LongSupplier;

/// One streaming multiprocessor: runs the blocks of a launch, one at a time.
///
/// The warps of a block take turns, so one that spins does not starve the one that it waits for.
/// All state between turns is in arrays ([Warp]), decoded code is apart from what executes it
/// ([CodeCache], [Interpreter]). A block makes no objects, except for code that runs first.
///
/// Used by one thread at a time, which need not be the same always; whoever hands an Sm from one
/// thread to another takes care that the first one's writes are seen. What blocks on several
/// threads do to global memory is ordered as the hardware orders it: atomics are atomic, other
/// accesses are not, fences are fences.
public final class Sm {
    /// Instructions that a warp executes before it is another's turn: few, because on hardware the
    /// warps of a block keep pace, and there are programs that lack a barrier where one warp would
    /// have to be far ahead of another to do harm.
    private static final int TURN = 16;

    /// Instructions of all warps between two questions whether to stop; a look at page tables takes
    /// about as long as one.
    private static final int SAFEPOINT = 1024;

    /// Bytes that are emptied for a block in the time that a warp's instruction takes.
    private static final int START_BYTES = 512;

    private final int number;
    private final InterpreterTally tally;
    private final ChannelTlb space;
    private final WarpTrap warpTrap = new WarpTrap();
    private final Block block = new Block();
    private final Barriers barriers = new Barriers(warpTrap);
    private final CodeCache code;
    private final LoadedKernel loaded;
    private final ConstantCache constants;
    private final TextureCache textures;
    private final SharedMemory shared = new SharedMemory(warpTrap);
    private final LocalMemory local;
    private final SpecialRegisters special;
    private final MemoryUnit memory;
    private final Interpreter interpreter;

    private Launch launch;
    private SmTrap trap;
    private long blockIndex;

    /// The warp whose turn it is, and the one that had the last.
    private int turn;

    private int last;
    private boolean isRunning;

    /// @param number which of the GPU's multiprocessors it is, from 0 on: chooses its share of the
    ///   memory behind local memory
    /// @param mmu the GPU's
    /// @param clockNs the GPU's clock, as threads can read it; any thread
    /// @param kernels the GPU's
    public Sm(int number, Mmu mmu, LongSupplier clockNs, Kernels kernels) {
        this.number = number;
        tally = kernels.tallies().of(number);
        space = new ChannelTlb(mmu);
        VirtualMemory channelMemory = new VirtualMemory(space);
        code = new CodeCache(channelMemory);
        loaded = new LoadedKernel(kernels, code);
        constants = new ConstantCache(channelMemory, warpTrap);
        textures = new TextureCache(channelMemory);
        WarpMemory warpMemory = new WarpMemory(space);
        local = new LocalMemory(number, warpMemory, warpTrap);
        special = new SpecialRegisters(number, clockNs);
        memory = new MemoryUnit(warpMemory, shared, local, constants, warpTrap);
        interpreter =
                new Interpreter(
                        code,
                        tally,
                        constants,
                        shared,
                        warpTrap,
                        block,
                        barriers,
                        special,
                        memory,
                        new AtomicUnit(memory, warpMemory, space),
                        new TextureUnit(textures, warpMemory),
                        new ControlUnit(constants, warpTrap));
    }

    /// Which of the multiprocessors it is.
    public int number() {
        return number;
    }

    /// Takes up a launch. No block may be unfinished: see [#abandon()].
    public void load(Launch launch) {
        if (isElsewhere(launch) || space.refresh()) {
            code.invalidate();
            loaded.invalidate();
        }
        // In any case: another channel may have come to have the same instance block.
        space.load(launch.instanceTarget(), launch.instanceAddress());
        this.launch = launch;
        trap = null;
        code.load(launch.code(), launch.storage().registers());
        loaded.load(launch);
        constants.load(launch);
        textures.load(launch);
        local.load(launch);
        special.load(launch);
        memory.load(launch);
    }

    private boolean isElsewhere(Launch next) {
        return launch == null
                || launch.instanceTarget() != next.instanceTarget()
                || launch.instanceAddress() != next.instanceAddress();
    }

    /// Starts a block; [#run(Safepoint)] runs it.
    ///
    /// @param blockIndex its number in the grid, x counting quickest
    public void begin(long blockIndex) {
        this.blockIndex = blockIndex;
        special.begin(blockIndex);
        shared.begin(launch.storage().sharedBytes());
        barriers.begin(launch.storage().barriers());
        block.begin(launch);
        turn = 0;
        last = 0;
        trap = null;
        isRunning = true;
    }

    /// Runs the block until it ends, fails or has to stop.
    ///
    /// @return [Outcome#STOPPED] as well if every warp waits at a barrier that nobody will
    ///   complete: such a block stands still for ever
    public Outcome run(Safepoint safepoint) {
        int unasked = 0;
        int walks = 0;
        int idle = 0;
        CompiledKernel kernel = loaded.compiled();
        while (block.aliveWarps() > 0) {
            Warp warp = block.warp(turn);
            if (warp.isDone() || warp.barrier >= 0) {
                if (++idle > block.warps()) {
                    executed(kernel, unasked);
                    safepoint.stop(unasked);
                    return Outcome.STOPPED;
                }
            } else {
                idle = 0;
                last = turn;
                try {
                    unasked +=
                            kernel == null
                                    ? interpreter.run(warp, TURN)
                                    : kernel.run(warp, interpreter, KernelCompiler.TURN);
                } catch (WarpTrap e) {
                    trap = new SmTrap.InstructionError(e.error(), position());
                } catch (MmuFault e) {
                    trap = new SmTrap.MemoryFault(e.reason(), e.gpuVa(), e.isWrite(), position());
                }
                if (trap != null) {
                    // Nobody knows how far into its turn the warp was: it pays for all of it.
                    end(safepoint, kernel, unasked + (kernel == null ? TURN : KernelCompiler.TURN));
                    return Outcome.TRAPPED;
                }
            }
            next();
            walks += space.takeWalks();
            if (unasked + walks >= SAFEPOINT) {
                executed(kernel, unasked);
                kernel = loaded.compiled();
                if (safepoint.stop(unasked) && block.aliveWarps() > 0) {
                    return Outcome.STOPPED;
                }
                unasked = 0;
                walks = 0;
            }
        }
        end(safepoint, kernel, unasked);
        return Outcome.BLOCK_DONE;
    }

    /// The block has ended: nobody asks any more whether it is to stop, but what it took counts.
    private void end(Safepoint safepoint, CompiledKernel kernel, int unasked) {
        isRunning = false;
        executed(kernel, unasked);
        safepoint.stop(unasked);
    }

    private void executed(CompiledKernel kernel, int instructions) {
        if (kernel == null) {
            tally.interpreted(instructions);
        } else {
            tally.inCompiled(instructions);
        }
        loaded.executed(instructions);
    }

    private void next() {
        turn = turn + 1 < block.warps() ? turn + 1 : 0;
    }

    /// What became of the block, if [Outcome#TRAPPED] was returned last.
    public SmTrap trap() {
        return trap;
    }

    /// Drops what has become stale if translations have: to be called before [#run(Safepoint)]
    /// whenever the register thread may have run since.
    public void refresh() {
        if (space.refresh()) {
            code.invalidate();
            loaded.invalidate();
            constants.invalidate();
            textures.invalidate();
        }
    }

    /// Where an unfinished block is, or the one that trapped: in the warp that ran last, the first
    /// lane that its last instruction was for, or the one that it went wrong for. For reports;
    /// makes objects.
    public Position position() {
        Warp warp = block.warp(last);
        Instruction i = warp.current;
        return new Position(
                Integer.toUnsignedLong(i != null ? i.pc : warp.pc),
                i != null ? i.word : 0,
                launch.grid().at(blockIndex),
                launch.block().at((long) warp.number * Rows.LANES + warp.lane));
    }

    /// What it costs to start a block, in instructions of a warp: registers and shared memory are
    /// emptied.
    public int startCost() {
        ThreadStorage storage = launch.storage();
        int registerBytes = block.warps() * storage.registers() * Rows.LANES * Integer.BYTES;
        return (registerBytes + storage.sharedBytes()) / START_BYTES;
    }

    /// The block's state, for whoever looks at it between turns.
    Block block() {
        return block;
    }

    /// What executes instructions one by one, for whoever gives warps their turns himself.
    Interpreter interpreter() {
        return interpreter;
    }

    /// What executes it, and who finds out.
    LoadedKernel kernel() {
        return loaded;
    }

    /// What shared memory of the block holds, for whoever looks at it between turns.
    byte[] sharedMemory() {
        return shared.toArray();
    }

    /// Whether a block has been started that has not ended.
    public boolean isRunning() {
        return isRunning;
    }

    /// Gives up memory that can be had again: the block will not go on soon.
    public void rest() {
        code.invalidate();
        loaded.rest();
        constants.drop();
    }

    /// Forgets an unfinished block.
    public void abandon() {
        isRunning = false;
        trap = null;
    }
}
