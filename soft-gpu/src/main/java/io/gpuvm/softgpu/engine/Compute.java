package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.reg.PgraphTraps;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.softgpu.grid.Grid;
import io.gpuvm.softgpu.grid.GridRunner;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Position;
import io.gpuvm.softgpu.sm.Safepoint;
import io.gpuvm.softgpu.sm.SmTrap;
import java.util.concurrent.TimeUnit;

/// Compute (90c0): runs grids of blocks on the multiprocessors.
///
/// A launch completes before the next method, so barriers, flushes and queries never wait. Only
/// textures in linear memory are supported ([io.gpuvm.gf100.classes.LinearTexture]); each launch
/// rereads their headers. Samplers, images and conditions ([ComputeClass#CONDITION_MODE]) are
/// stored and ignored: every launch is executed.
///
/// A launch can fail in three ways. An MMU fault kills the channel. An instruction's error is
/// reported to the driver as a trap of a multiprocessor, and the channel then continues. The
/// watchdog reports a hung engine.
final class Compute extends GraphObject {
    /// Time-slice cost of a launch's turn, in bytes, in addition to the cost of its instructions.
    private static final int TURN_COST_BYTES = 4096;

    /// Time-slice cost of a warp instruction, in bytes.
    private static final int INSTRUCTION_COST_BYTES = 128;

    /// Maximum time-slice cost that a safepoint charges, in bytes.
    private static final int MAX_COST_BYTES = 1 << 24;

    private static final MethodTable METHODS = ComputeMethods.TABLE;

    private final ClassState state = new ClassState(METHODS);
    private final LaunchState launchState = new LaunchState(state);
    private final ConstantBuffers constants;
    private final TextureSlots textures = new TextureSlots();
    private final Queries queries;
    private final ComputeParts compute;
    private final Safepoint pace = this::isSliceOver;
    private long codeVersion;

    /// Pending or running launch; null if there is none.
    private Launch launch;

    private int launchSubchannel;

    /// Blocks of the launch; null before its first turn.
    private Grid grid;

    private long takenNs;

    /// Trap that ended the launch, until it is reported.
    private SmTrap trap;

    private ComputeParts.Place trapPlace;

    Compute(ClassObjectParts parts) {
        super(ClassId.COMPUTE.number(), parts);
        compute = parts.compute();
        constants = new ConstantBuffers(parts.memory(), 1);
        queries = new Queries(parts, state);
        codeVersion = compute.codeVersions().incrementAndGet();
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        MethodTable.Kind kind = METHODS.kind(method);
        if (kind == MethodTable.Kind.UNKNOWN) {
            return illegalMethod(subchannel, method, data);
        }
        int error = Queries.isMisaligned(method, data) ? GraphError.CODE_INVALID_VALUE : 0;
        if (kind == MethodTable.Kind.ACTING) {
            error = act(subchannel, method, data);
        }
        if (error != 0) {
            return dataError(error, subchannel, method, data);
        }
        state.set(method, data);
        if (kind == MethodTable.Kind.WITHOUT_EFFECT) {
            parts().counters().increment(WorkCounter.UNKNOWN_METHODS);
        }
        return launch == null ? MethodProgress.DONE : MethodProgress.UNFINISHED;
    }

    @Override
    public MethodProgress resume() {
        if (trap != null) {
            return report();
        }
        if (grid == null) {
            grid = compute.grids().open(launch, launchState.multiprocessors());
        }
        return switch (runGrid()) {
            case DONE -> {
                abandon();
                yield MethodProgress.DONE;
            }
            case UNFINISHED -> isOverdue() ? hang() : MethodProgress.UNFINISHED;
            case TRAPPED -> {
                trapped();
                yield report();
            }
        };
    }

    @Override
    public void abandon() {
        closeGrid();
        launch = null;
        trap = null;
    }

    @Override
    public KernelPosition kernelPosition() {
        Position position = grid == null ? null : grid.position();
        return position == null ? null : position.in(launch.code());
    }

    @Override
    public int faultStatus(MmuFault fault) {
        return trap == null
                ? super.faultStatus(fault)
                : FaultStatus.ofMultiprocessor(
                        fault.reason(), trapPlace.gpc(), trapPlace.tpc(), fault.isWrite());
    }

    @Override
    int readMethod(int method) {
        return state.get(method);
    }

    /// @return 0, or an error code of [GraphError]
    private int act(int subchannel, int method, int data) {
        return switch (method) {
            case ComputeClass.LAUNCH -> launch(subchannel, data);
            case ComputeClass.CONSTANT_BIND ->
                    constants.bind(
                            0,
                            ConstantMethods.COMPUTE_BIND_INDEX.get(data),
                            ConstantMethods.COMPUTE_BIND_VALID.isSet(data));
            case ComputeClass.BIND_TEXTURE -> {
                textures.bind(data);
                yield 0;
            }
            case ComputeClass.FLUSH -> flush(data);
            case QueryMethods.GET -> queries.get(data, 0);
            default -> constants.method(method, data);
        };
    }

    private int flush(int data) {
        if (ComputeClass.FLUSH_CODE.isSet(data)) {
            codeVersion = compute.codeVersions().incrementAndGet();
        }
        return 0;
    }

    private int launch(int subchannel, int data) {
        int error = launchState.check();
        if (error == 0) {
            parts().counters().increment(WorkCounter.COMPUTE_LAUNCHES);
            launchSubchannel = subchannel;
            takenNs = 0;
            launch =
                    launchState.launch(
                            data, codeVersion, constants, textures, parts().memory().space());
        }
        return error;
    }

    private GridRunner.Progress runGrid() {
        long startNs = parts().clockNs().getAsLong();
        GridRunner.Progress progress = compute.grids().run(grid, pace);
        takenNs += parts().clockNs().getAsLong() - startNs;
        parts().slice().spend(TURN_COST_BYTES);
        parts().counters().add(WorkCounter.COMPUTE_BLOCKS, grid.takeBlocksEnded());
        parts().counters().add(WorkCounter.WARP_INSTRUCTIONS, grid.takeWarpInstructions());
        return progress;
    }

    private boolean isSliceOver(int warpInstructions) {
        long cost = (long) warpInstructions * INSTRUCTION_COST_BYTES;
        parts().slice().spend((int) Math.min(cost, MAX_COST_BYTES));
        return parts().slice().isOver();
    }

    private boolean isOverdue() {
        return compute.watchdogNs() != 0 && takenNs > compute.watchdogNs();
    }

    private MethodProgress hang() {
        long limitMs = TimeUnit.NANOSECONDS.toMillis(compute.watchdogNs());
        tell("launch timeout, limit=%d ms".formatted(limitMs), grid.position());
        return MethodProgress.HUNG;
    }

    private void trapped() {
        trap = grid.trap();
        trapPlace = compute.places().get(grid.trappedSm());
        closeGrid();
        tell(
                switch (trap) {
                    case SmTrap.MemoryFault fault ->
                            "%s address=%#x: %s"
                                    .formatted(
                                            fault.isWrite() ? "write to" : "read from",
                                            fault.gpuVa(),
                                            fault.reason());
                    case SmTrap.InstructionError error -> error.error().toString();
                },
                trap.position());
    }

    private MethodProgress report() {
        return switch (trap) {
            case SmTrap.MemoryFault fault ->
                    throw parts().memory()
                            .space()
                            .refuse(fault.reason(), fault.gpuVa(), fault.isWrite());
            case SmTrap.InstructionError error -> reportMp(error);
        };
    }

    /// Reports an instruction's error; the channel continues with the next method once the driver
    /// has acknowledged the report.
    private MethodProgress reportMp(SmTrap.InstructionError error) {
        GraphTrap graph = parts().graphTrap();
        if (!graph.isReleased()) {
            return MethodProgress.OCCUPIED;
        }
        parts().counters().increment(WorkCounter.COMPUTE_TRAPS);
        graph.describe(launchSubchannel, classNumber(), ComputeClass.LAUNCH, launch.argument());
        int code = PgraphTraps.WARP_ERROR_CODE.of(error.error().code());
        graph.describeMp(trapPlace.gpc(), trapPlace.tpc(), code, 0);
        long instance = parts().memory().space().instanceAddress();
        graph.raise(GraphError.INTR_TRAP.mask(), 0, instance);
        abandon();
        return MethodProgress.REFUSED;
    }

    private void tell(String what, Position position) {
        long instance = parts().memory().space().instanceAddress();
        compute.errors()
                .report(
                        new KernelError(
                                parts().channel(), instance, what, launch.code(), position));
    }

    private void closeGrid() {
        if (grid != null) {
            compute.grids().close(grid);
            grid = null;
        }
    }
}
