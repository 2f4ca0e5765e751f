package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxGuard;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxParameter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Execution of one warp: a stack of paths, each with the lanes that execute it. Lanes that take
/// different ways meet at the immediate post-dominator.
final class WarpExecution {
    static final int LANES = 32;

    /// Maximum number of nested paths, against endless recursion.
    private static final int MAX_PATHS = 10_000;

    /// Path of some lanes through a function.
    private static final class Path {
        final CallFrame frame;
        final int end;
        int pc;
        int mask;

        Path(CallFrame frame, int pc, int end, int mask) {
            this.frame = frame;
            this.pc = pc;
            this.end = end;
            this.mask = mask;
        }
    }

    final BlockExecution block;
    final int first;
    final byte[][] local = new byte[LANES][0];

    /// Number of threads that the barrier at which the warp waits has been given, or 0.
    int expectedThreads;

    private final Deque<Path> paths = new ArrayDeque<>();
    private final LaneOperations lanes;
    private PtxInstruction barrier;
    private int barrierMask;

    WarpExecution(BlockExecution block, int first, int threads) {
        this.block = block;
        this.first = first;
        lanes = new LaneOperations(this);
        CallFrame frame = new CallFrame(block.launch.kernel(), null, null);
        int mask = threads == LANES ? -1 : (1 << threads) - 1;
        allocate(frame, mask);
        paths.push(new Path(frame, 0, -1, mask));
    }

    boolean isFinished() {
        return paths.isEmpty();
    }

    boolean isReady() {
        return barrier == null && !paths.isEmpty();
    }

    /// Executes one instruction, or ends a path.
    void step() {
        Path path = paths.peek();
        if (path.mask == 0 || path.pc == path.end) {
            paths.pop();
            return;
        }
        if (path.pc >= path.frame.function.code().size()) {
            returnLanes(path.frame, path.mask);
            return;
        }
        block.launch.machine().count();
        DecodedInstruction decoded = path.frame.layout.code().get(path.pc);
        PtxInstruction instruction = decoded.instruction;
        int mask = path.mask & guard(instruction.guard(), path.frame, path.mask);
        int at = path.pc++;
        try {
            execute(path, decoded, at, mask);
        } catch (MachineFault e) {
            throw new MachineFault(
                    "%s, line %d: %s: %s"
                            .formatted(
                                    path.frame.function.name(),
                                    instruction.position().line(),
                                    instruction.operation().text(),
                                    e.getMessage()));
        }
    }

    private int guard(PtxGuard guard, CallFrame frame, int mask) {
        if (guard == null) {
            return mask;
        }
        int truths = 0;
        for (int lane = 0; lane < LANES; lane++) {
            truths |= (int) frame.read(guard.register(), lane) << lane;
        }
        return mask & (guard.negated() ? ~truths : truths);
    }

    private void execute(Path path, DecodedInstruction decoded, int at, int mask) {
        PtxInstruction instruction = decoded.instruction;
        if (mask == 0) {
            return;
        }
        switch (instruction.opcode()) {
            case BRA -> {
                int target = ((PtxOperand.Label) instruction.sources().getFirst()).index();
                branch(path, at, Map.of(target, mask), mask);
            }
            case BRX -> {
                List<PtxOperand.Label> labels =
                        ((PtxOperand.Labels) instruction.sources().getLast()).targets();
                Map<Integer, Integer> targets = new LinkedHashMap<>();
                for (int lane = 0; lane < LANES; lane++) {
                    if ((mask >>> lane & 1) != 0) {
                        long index =
                                lanes.value(path.frame, instruction.sources().getFirst(), lane);
                        if (index >= labels.size()) {
                            throw new MachineFault("index=" + index);
                        }
                        targets.merge(labels.get((int) index).index(), 1 << lane, (a, b) -> a | b);
                    }
                }
                branch(path, at, targets, mask);
            }
            case CALL -> call(path, (PtxOperand.Call) instruction.sources().getFirst(), mask);
            case RET -> returnLanes(path.frame, mask);
            case EXIT -> paths.forEach(other -> other.mask &= ~mask);
            case TRAP -> throw new MachineFault("trap");
            case BAR, BARRIER -> barrier(path, instruction, mask);
            default -> lanes.execute(path.frame, decoded, mask);
        }
    }

    private void branch(Path path, int at, Map<Integer, Integer> targets, int mask) {
        int others = path.mask & ~mask;
        if (others == 0 && targets.size() == 1) {
            path.pc = targets.keySet().iterator().next();
            return;
        }
        int meeting = path.frame.layout.graph().meetingPoint(at);
        int next = path.pc;
        path.pc = meeting;
        if (others != 0) {
            push(new Path(path.frame, next, meeting, others));
        }
        targets.forEach((target, lanesOf) -> push(new Path(path.frame, target, meeting, lanesOf)));
    }

    private void push(Path path) {
        if (paths.size() > MAX_PATHS) {
            throw new MachineFault("paths=" + paths.size());
        }
        paths.push(path);
    }

    private void call(Path path, PtxOperand.Call call, int mask) {
        Map<FunctionLayout, Integer> targets = new LinkedHashMap<>();
        PtxMachine machine = block.launch.machine();
        if (call.target() instanceof PtxOperand.Address address) {
            targets.put(machine.layout((PtxFunctionHeader) address.symbol()), mask);
        } else {
            for (int lane = 0; lane < LANES; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    targets.merge(
                            machine.layoutAt(lanes.value(path.frame, call.target(), lane)),
                            1 << lane,
                            (a, b) -> a | b);
                }
            }
        }
        targets.forEach((layout, lanesOf) -> enter(path.frame, call, layout, lanesOf));
    }

    private void enter(CallFrame caller, PtxOperand.Call call, FunctionLayout layout, int mask) {
        CallFrame frame = new CallFrame(layout, caller, call);
        for (int lane = 0; lane < LANES; lane++) {
            frame.localBase[lane] = caller.localBase[lane] + caller.layout.bytes();
        }
        allocate(frame, mask);
        List<PtxParameter> formal = layout.function().header().signature().parameters();
        for (int i = 0; i < formal.size(); i++) {
            for (int lane = 0; lane < LANES; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    pass(formal.get(i), call.arguments().get(i), frame, lane);
                }
            }
        }
        push(new Path(frame, 0, -1, mask));
    }

    private void pass(PtxParameter formal, PtxOperand actual, CallFrame frame, int lane) {
        if (formal.inRegister()) {
            frame.write(formal.register(), lane, lanes.value(frame.caller, actual, lane));
            return;
        }
        int to = place(frame, formal.variable().index(), lane);
        if (actual instanceof PtxOperand.Memory memory) {
            int from = place(frame.caller, memory.variable().index(), lane);
            System.arraycopy(local[lane], from, local[lane], to, (int) formal.bytes());
        } else {
            MachineMemory.write(
                    local[lane], to, (int) formal.bytes(), lanes.value(frame.caller, actual, lane));
        }
    }

    private void returnLanes(CallFrame frame, int mask) {
        if (frame.call != null) {
            List<PtxParameter> formal = frame.function.header().signature().results();
            for (int i = 0; i < formal.size(); i++) {
                for (int lane = 0; lane < LANES; lane++) {
                    if ((mask >>> lane & 1) != 0) {
                        passBack(formal.get(i), frame.call.results().get(i), frame, lane);
                    }
                }
            }
        }
        for (Path path : paths) {
            if (path.frame == frame) {
                path.mask &= ~mask;
            }
        }
    }

    private void passBack(PtxParameter formal, PtxOperand actual, CallFrame frame, int lane) {
        switch (actual) {
            case PtxOperand.Discard discard -> {}
            case PtxOperand.Memory memory -> {
                int to = place(frame.caller, memory.variable().index(), lane);
                int from = place(frame, formal.variable().index(), lane);
                System.arraycopy(local[lane], from, local[lane], to, (int) formal.bytes());
            }
            case PtxOperand.Register register -> {
                long value =
                        formal.inRegister()
                                ? frame.read(formal.register(), lane)
                                : MachineMemory.read(
                                        local[lane],
                                        place(frame, formal.variable().index(), lane),
                                        (int) formal.bytes());
                frame.caller.write(register.register(), lane, value);
            }
            default -> throw new MachineFault("result " + actual);
        }
    }

    /// Returns the place of a variable in the local memory of a lane.
    int place(CallFrame frame, int variable, int lane) {
        return frame.localBase[lane] + frame.layout.offsets().get(variable);
    }

    private void allocate(CallFrame frame, int mask) {
        for (int lane = 0; lane < LANES; lane++) {
            if ((mask >>> lane & 1) != 0) {
                int end = frame.localBase[lane] + frame.layout.bytes();
                local[lane] = MachineMemory.grown(local[lane], end);
            }
        }
    }

    private void barrier(Path path, PtxInstruction instruction, int mask) {
        if (instruction.operation().has(PtxModifier.WARP)) {
            lanes.checkMembers(path.frame, instruction.sources().getFirst(), mask);
            return;
        }
        List<PtxOperand> sources = instruction.sources();
        boolean reduces = instruction.operation().has(PtxModifier.RED);
        int lane = Integer.numberOfTrailingZeros(mask);
        int number = (int) lanes.value(path.frame, sources.getFirst(), lane);
        boolean counted = sources.size() > (reduces ? 2 : 1);
        int threads = counted ? (int) lanes.value(path.frame, sources.get(1), lane) : 0;
        int truths = reduces ? lanes.truths(path.frame, sources.getLast(), mask) : 0;
        boolean waits = !instruction.operation().has(PtxModifier.ARRIVE);
        if (waits) {
            barrier = instruction;
            barrierMask = mask;
        }
        block.arrive(this, number, threads, waits, mask, truths);
    }

    /// Continues after a barrier.
    void resume(int count, boolean all, boolean any) {
        PtxInstruction instruction = barrier;
        barrier = null;
        if (!instruction.operation().has(PtxModifier.RED)) {
            return;
        }
        boolean counts = instruction.operation().has(PtxModifier.POPC);
        long value =
                counts ? count : (instruction.operation().has(PtxModifier.AND) ? all : any) ? 1 : 0;
        lanes.writeAll(paths.peek().frame, instruction.results().getFirst(), barrierMask, value);
    }

    /// Returns the lanes that have not exited.
    int live() {
        int live = 0;
        for (Path path : paths) {
            live |= path.mask;
        }
        return live;
    }
}
