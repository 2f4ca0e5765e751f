package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import java.util.function.LongSupplier;

/// Streaming multiprocessor: runs the blocks of a launch, one at a time.
///
/// The warps of a block take turns, so a warp that spins does not starve the warp that it waits
/// for. All state between turns is in arrays ([Warp]); decoded code is separate from its executor
/// ([CodeCache], [Interpreter]). Running a block creates no objects, except for code that is
/// executed for the first time.
///
/// Used by one thread at a time; a caller that passes an `Sm` to another thread must make the
/// previous thread's writes visible. Accesses to global memory by blocks on several threads are
/// ordered as in hardware: only atomic operations are atomic, and fences order accesses.
public final class Sm {
    /// Maximum number of instructions in a warp's turn. The number is small because, on hardware,
    /// the warps of a block progress at a similar pace, and some programs lack a barrier that
    /// matters only if a warp is far ahead of another.
    private static final int TURN = 16;

    /// Number of instructions of all warps between safepoints; a page-table walk counts as one
    /// instruction.
    private static final int SAFEPOINT = 1024;

    /// Bytes that are cleared for a block in the time of one warp instruction.
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

    /// Number of the warp whose turn it is.
    private int turn;

    /// Number of the warp that had the previous turn.
    private int last;

    private boolean isRunning;

    /// @param number number of the multiprocessor in the GPU, from 0: selects its share of the
    ///   memory for local memory
    /// @param mmu MMU of the GPU
    /// @param clockNs the GPU's clock in nanoseconds, readable by threads; callable from any thread
    /// @param kernels kernels of the GPU
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

    /// Returns the number of the multiprocessor.
    public int number() {
        return number;
    }

    /// Begins a launch. No block may be unfinished: see [#abandon()].
    public void load(Launch launch) {
        if (isElsewhere(launch) || space.refresh()) {
            code.invalidate();
            loaded.invalidate();
        }
        // The address space is loaded unconditionally: another channel may now use the same
        // instance block.
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
    /// @param blockIndex number of the block in the grid; x varies fastest
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

    /// Runs the block until it ends, fails or must stop.
    ///
    /// @return [Outcome#STOPPED] also if every warp waits at a barrier that no warp will complete:
    ///   such a block hangs indefinitely
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
                    // The progress of the warp in its turn is unknown: the whole turn is charged.
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

    /// Ends the block: passes to the safepoint the number of instructions since the last call, and
    /// ignores the result.
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

    /// Returns the block's error, if the last outcome was [Outcome#TRAPPED].
    public SmTrap trap() {
        return trap;
    }

    /// Discards cached data if translations have changed; must be called before [#run(Safepoint)]
    /// whenever the register thread may have run since.
    public void refresh() {
        if (space.refresh()) {
            code.invalidate();
            loaded.invalidate();
            constants.invalidate();
            textures.invalidate();
        }
    }

    /// Returns the position of an unfinished or trapped block, for reports: the last instruction of
    /// the warp that ran last, and the warp's first lane or the lane that failed. Creates objects.
    public Position position() {
        Warp warp = block.warp(last);
        Instruction i = warp.current;
        return new Position(
                Integer.toUnsignedLong(i != null ? i.pc : warp.pc),
                i != null ? i.word : 0,
                launch.grid().at(blockIndex),
                launch.block().at((long) warp.number * Rows.LANES + warp.lane));
    }

    /// Returns the cost of starting a block, in warp instructions: registers and shared memory are
    /// cleared.
    public int startCost() {
        ThreadStorage storage = launch.storage();
        int registerBytes = block.warps() * storage.registers() * Rows.LANES * Integer.BYTES;
        return (registerBytes + storage.sharedBytes()) / START_BYTES;
    }

    /// Returns the block's state, for inspection between turns.
    Block block() {
        return block;
    }

    /// Returns the interpreter, for callers that schedule warps themselves.
    Interpreter interpreter() {
        return interpreter;
    }

    /// Returns the loaded kernel.
    LoadedKernel kernel() {
        return loaded;
    }

    /// Returns the content of the block's shared memory, for inspection between turns.
    byte[] sharedMemory() {
        return shared.toArray();
    }

    /// Returns whether a started block has not ended.
    public boolean isRunning() {
        return isRunning;
    }

    /// Releases memory whose contents can be restored, because the block will not continue soon.
    public void rest() {
        code.invalidate();
        loaded.rest();
        constants.drop();
    }

    /// Discards an unfinished block.
    public void abandon() {
        isRunning = false;
        trap = null;
    }
}
