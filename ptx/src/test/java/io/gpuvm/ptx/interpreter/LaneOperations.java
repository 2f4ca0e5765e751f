package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxSpecialRegister;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVideoPart;
import java.util.List;

/// Executes instructions of the lanes of a warp, except control flow.
final class LaneOperations {
    private static final int LANES = WarpExecution.LANES;
    private static final int MAX_SOURCES = 5;

    private final WarpExecution warp;
    private final LaneMemory memory;
    private final long[] s = new long[MAX_SOURCES];

    LaneOperations(WarpExecution warp) {
        this.warp = warp;
        memory = new LaneMemory(warp);
    }

    /// Executes an instruction.
    ///
    /// @param mask lanes that execute it
    void execute(CallFrame frame, DecodedInstruction decoded, int mask) {
        PtxInstruction instruction = decoded.instruction;
        switch (instruction.opcode()) {
            case VOTE -> vote(frame, instruction, mask);
            case SHFL -> shuffle(frame, instruction, mask);
            case ACTIVEMASK -> writeAll(frame, instruction.results().getFirst(), mask, mask);
            case MEMBAR, FENCE, PREFETCH, PREFETCHU, BRKPT, PMEVENT, NANOSLEEP -> {}
            default -> {
                for (int lane = 0; lane < LANES; lane++) {
                    if ((mask >>> lane & 1) != 0) {
                        executeLane(frame, decoded, lane);
                    }
                }
            }
        }
    }

    private void executeLane(CallFrame frame, DecodedInstruction decoded, int lane) {
        PtxInstruction instruction = decoded.instruction;
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        List<PtxOperand> results = instruction.results();
        switch (operation.opcode()) {
            case LD, LDU -> load(frame, instruction, lane);
            case ST -> store(frame, instruction, lane);
            case ATOM, RED -> atomic(frame, instruction, lane);
            case MOV -> move(frame, decoded, lane);
            case VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VSET, VMAD ->
                    video(frame, instruction, lane);
            case SETP -> {
                decoded.read(this, frame, lane, s);
                boolean truth = compare(operation, s[0], s[1]);
                boolean third = sources.size() > 2;
                boolean isPair = operation.sourceType() == PtxType.F16X2;
                boolean second =
                        isPair
                                ? compare(operation, s[0] >> Short.SIZE, s[1] >> Short.SIZE)
                                : !truth;
                write(frame, results.getFirst(), lane, combine(operation, truth, third, s[2]));
                if (results.size() > 1) {
                    write(frame, results.get(1), lane, combine(operation, second, third, s[2]));
                }
            }
            case CVTA ->
                    write(
                            frame,
                            results.getFirst(),
                            lane,
                            convertAddress(frame, instruction, lane));
            case ISSPACEP -> {
                long address = value(frame, sources.getFirst(), lane);
                write(
                        frame,
                        results.getFirst(),
                        lane,
                        MachineMemory.isIn(address, operation.space()) ? 1 : 0);
            }
            case TEX -> fetch(frame, instruction, lane);
            case ADDC, SUBC, MADC -> carry(frame, decoded, lane);
            case ADD, SUB, MAD -> {
                if (operation.has(PtxModifier.CC)) {
                    carry(frame, decoded, lane);
                } else {
                    compute(frame, decoded, lane);
                }
            }
            default -> compute(frame, decoded, lane);
        }
    }

    private void fetch(CallFrame frame, PtxInstruction instruction, int lane) {
        if (instruction.sources().size() != 2
                || !instruction.operation().has(PtxModifier.DIM_1D)
                || instruction.operation().sourceType() != PtxType.S32) {
            throw new MachineFault("expected a texel of linear memory");
        }
        PtxMachine machine = warp.block.launch.machine();
        PtxOperand.Image image = (PtxOperand.Image) instruction.sources().getFirst();
        MachineTexture texture = machine.texture(value(frame, image.handle(), lane));
        int texel = (int) value(frame, instruction.sources().getLast(), lane);
        for (int i = 0; i < instruction.results().size(); i++) {
            long component = Integer.toUnsignedLong(texture.component(machine.memory(), texel, i));
            write(frame, instruction.results().get(i), lane, component);
        }
    }

    private void compute(CallFrame frame, DecodedInstruction decoded, int lane) {
        PtxInstruction instruction = decoded.instruction;
        decoded.read(this, frame, lane, s);
        write(frame, instruction.results().getFirst(), lane, evaluate(instruction.operation()));
    }

    private long evaluate(PtxOperation operation) {
        return switch (operation.opcode()) {
            case CVT ->
                    operation.type() == PtxType.F16X2
                            ? TypeConversions.convert(operation, s[1])
                                    | TypeConversions.convert(operation, s[0]) << Short.SIZE
                            : TypeConversions.convert(operation, s[0]);
            case SET -> {
                boolean truth = compare(operation, s[0], s[1]);
                boolean third = operation.in(PtxModifier.COMBINATIONS) != null;
                boolean result = combine(operation, truth, third, s[2]) != 0;
                yield operation.type() == PtxType.F32
                        ? (result ? Float.floatToRawIntBits(1) : 0)
                        : (result ? -1 : 0);
            }
            case SELP -> s[2] != 0 ? s[0] : s[1];
            case SLCT -> isNotNegative(operation) ? s[0] : s[1];
            case TESTP -> FloatOperations.test(operation, s[0]) ? 1 : 0;
            default ->
                    operation.type().isFloat()
                            ? FloatOperations.evaluate(operation, s)
                            : IntegerOperations.evaluate(operation, s);
        };
    }

    private boolean isNotNegative(PtxOperation operation) {
        if (operation.sourceType() == PtxType.S32) {
            return (int) s[2] >= 0;
        }
        int bits = (int) s[2];
        return Float.intBitsToFloat(
                        operation.has(PtxModifier.FTZ) ? FloatOperations.flush(bits) : bits)
                >= 0;
    }

    private static long combine(
            PtxOperation operation, boolean truth, boolean third, long predicate) {
        if (!third) {
            return truth ? 1 : 0;
        }
        boolean other = predicate != 0;
        return switch (operation.in(PtxModifier.COMBINATIONS)) {
            case AND -> truth & other ? 1 : 0;
            case OR -> truth | other ? 1 : 0;
            default -> truth ^ other ? 1 : 0;
        };
    }

    private static boolean compare(PtxOperation operation, long a, long b) {
        PtxType type = operation.sourceType();
        PtxModifier comparison = operation.comparison();
        if (type.isFloat()) {
            return compareFloats(operation, a, b);
        }
        long x = IntegerOperations.extend(a, type);
        long y = IntegerOperations.extend(b, type);
        int order = type.isSigned() ? Long.compare(x, y) : Long.compareUnsigned(x, y);
        return switch (comparison) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            default -> order >= 0;
        };
    }

    private static boolean compareFloats(PtxOperation operation, long a, long b) {
        double x;
        double y;
        if (operation.sourceType() == PtxType.F64) {
            x = Double.longBitsToDouble(a);
            y = Double.longBitsToDouble(b);
        } else if (operation.sourceType() != PtxType.F32) {
            x = HalfOperations.number(operation, a);
            y = HalfOperations.number(operation, b);
        } else {
            boolean flushes = operation.has(PtxModifier.FTZ);
            x = Float.intBitsToFloat(flushes ? FloatOperations.flush((int) a) : (int) a);
            y = Float.intBitsToFloat(flushes ? FloatOperations.flush((int) b) : (int) b);
        }
        boolean unordered = Double.isNaN(x) || Double.isNaN(y);
        return switch (operation.comparison()) {
            case EQ -> x == y;
            case NE -> !unordered && x != y;
            case LT -> x < y;
            case LE -> x <= y;
            case GT -> x > y;
            case GE -> x >= y;
            case EQU -> unordered || x == y;
            case NEU -> x != y;
            case LTU -> unordered || x < y;
            case LEU -> unordered || x <= y;
            case GTU -> unordered || x > y;
            case GEU -> unordered || x >= y;
            case NUM -> !unordered;
            default -> unordered;
        };
    }

    /// Executes an addition, subtraction or multiply-add with carry.
    private void carry(CallFrame frame, DecodedInstruction decoded, int lane) {
        PtxInstruction instruction = decoded.instruction;
        PtxOperation operation = instruction.operation();
        decoded.read(this, frame, lane, s);
        PtxType type = operation.type();
        int bits = type.bits();
        long mask = bits == Long.SIZE ? -1 : (1L << bits) - 1;
        long in = frame.carry >>> lane & 1;
        long first;
        long second;
        boolean subtracts = false;
        switch (operation.opcode()) {
            case ADD -> {
                first = s[0];
                second = s[1];
                in = 0;
            }
            case ADDC -> {
                first = s[0];
                second = s[1];
            }
            case SUB, SUBC -> {
                first = s[0];
                second = s[1];
                subtracts = true;
                in = operation.opcode() == PtxOpcode.SUB ? 0 : in;
            }
            default -> {
                first =
                        IntegerOperations.product(
                                operation,
                                IntegerOperations.extend(s[0], type),
                                IntegerOperations.extend(s[1], type));
                second = s[2];
                in = operation.opcode() == PtxOpcode.MAD ? 0 : in;
            }
        }
        first &= mask;
        second &= mask;
        long result = (subtracts ? first - second - in : first + second + in) & mask;
        boolean out;
        if (subtracts) {
            out = Long.compareUnsigned(first, second) < 0 || in != 0 && first == second;
        } else {
            int order = Long.compareUnsigned(result, first);
            out = order < 0 || in != 0 && order == 0;
        }
        if (operation.has(PtxModifier.CC)) {
            frame.carry = out ? frame.carry | 1 << lane : frame.carry & ~(1 << lane);
        }
        write(frame, instruction.results().getFirst(), lane, result);
    }

    private void move(CallFrame frame, DecodedInstruction decoded, int lane) {
        PtxInstruction instruction = decoded.instruction;
        List<PtxOperand> results = instruction.results();
        List<PtxOperand> sources = instruction.sources();
        if (results.size() == sources.size()) {
            decoded.read(this, frame, lane, s);
            for (int i = 0; i < results.size(); i++) {
                write(frame, results.get(i), lane, s[i]);
            }
            return;
        }
        int bits = instruction.operation().type().bits();
        if (results.size() > 1) {
            long value = value(frame, sources.getFirst(), lane);
            int part = bits / results.size();
            for (int i = 0; i < results.size(); i++) {
                write(frame, results.get(i), lane, value >>> i * part);
            }
            return;
        }
        int part = bits / sources.size();
        long value = 0;
        for (int i = 0; i < sources.size(); i++) {
            value |= (value(frame, sources.get(i), lane) & (1L << part) - 1) << i * part;
        }
        write(frame, results.getFirst(), lane, value);
    }

    private void load(CallFrame frame, PtxInstruction instruction, int lane) {
        PtxOperation operation = instruction.operation();
        PtxOperand.Memory operand = (PtxOperand.Memory) instruction.sources().getFirst();
        PtxType type = operation.type();
        LaneMemory.Place place = memory.place(frame, operand, operation.space(), lane);
        List<PtxOperand> results = instruction.results();
        memory.checkAlignment(place, type.bytes() * results.size());
        for (int i = 0; i < results.size(); i++) {
            long bits = memory.read(place, i * type.bytes(), type.bytes());
            write(frame, results.get(i), lane, IntegerOperations.extend(bits, type));
        }
    }

    private void store(CallFrame frame, PtxInstruction instruction, int lane) {
        PtxOperation operation = instruction.operation();
        PtxOperand.Memory operand = (PtxOperand.Memory) instruction.sources().getFirst();
        PtxType type = operation.type();
        LaneMemory.Place place = memory.place(frame, operand, operation.space(), lane);
        List<PtxOperand> sources = instruction.sources();
        memory.checkAlignment(place, type.bytes() * (sources.size() - 1));
        for (int i = 1; i < sources.size(); i++) {
            memory.write(
                    place,
                    (i - 1) * type.bytes(),
                    type.bytes(),
                    value(frame, sources.get(i), lane));
        }
    }

    private void atomic(CallFrame frame, PtxInstruction instruction, int lane) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        PtxOperand.Memory operand = (PtxOperand.Memory) sources.getFirst();
        PtxType type = operation.type();
        LaneMemory.Place place = memory.place(frame, operand, operation.space(), lane);
        long old = memory.read(place, 0, type.bytes());
        long b = value(frame, sources.get(1), lane);
        long c = sources.size() > 2 ? value(frame, sources.get(2), lane) : 0;
        boolean isGlobal = place.bytes() == warp.block.launch.machine().memory().global;
        long updated =
                isGlobal && type == PtxType.F32
                        ? globalSum((int) old, (int) b)
                        : updated(operation, old, b, c);
        memory.write(place, 0, type.bytes(), updated);
        if (operation.opcode() == PtxOpcode.ATOM) {
            write(frame, instruction.results().getFirst(), lane, old);
        }
    }

    /// Returns the sum of an atomic addition on global memory, which flushes denormals (PTX manual,
    /// `atom`).
    private static long globalSum(int old, int b) {
        float sum =
                Float.intBitsToFloat(FloatOperations.flush(old))
                        + Float.intBitsToFloat(FloatOperations.flush(b));
        return Integer.toUnsignedLong(FloatOperations.flush(FloatOperations.bits(sum)));
    }

    private static long updated(PtxOperation operation, long old, long b, long c) {
        PtxType type = operation.type();
        long x = IntegerOperations.extend(old, type);
        long y = IntegerOperations.extend(b, type);
        return switch (operation.in(PtxModifier.OPERATIONS)) {
            case AND -> x & y;
            case OR -> x | y;
            case XOR -> x ^ y;
            case EXCH -> y;
            case CAS -> x == y ? c : x;
            case INC -> Long.compareUnsigned(x, y) >= 0 ? 0 : x + 1;
            case DEC -> x == 0 || Long.compareUnsigned(x, y) > 0 ? y : x - 1;
            case MIN -> isLess(type, x, y) ? x : y;
            case MAX -> isLess(type, x, y) ? y : x;
            case ADD ->
                    type == PtxType.F64
                            ? Double.doubleToLongBits(
                                    Double.longBitsToDouble(old) + Double.longBitsToDouble(b))
                            : type == PtxType.F32
                                    ? Integer.toUnsignedLong(
                                            FloatOperations.bits(
                                                    Float.intBitsToFloat((int) old)
                                                            + Float.intBitsToFloat((int) b)))
                                    : x + y;
            case null, default -> throw new MachineFault("not implemented: " + operation.text());
        };
    }

    private static boolean isLess(PtxType type, long x, long y) {
        return type.isSigned() ? x < y : Long.compareUnsigned(x, y) < 0;
    }

    private long convertAddress(CallFrame frame, PtxInstruction instruction, int lane) {
        PtxOperation operation = instruction.operation();
        long address = value(frame, instruction.sources().getFirst(), lane);
        long window = MachineMemory.window(operation.space());
        return operation.has(PtxModifier.TO) ? address - window : address + window;
    }

    private void video(CallFrame frame, PtxInstruction instruction, int lane) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        boolean set = operation.opcode() == PtxOpcode.VSET;
        List<PtxType> types = operation.types();
        PtxOperand.Part a = (PtxOperand.Part) sources.get(0);
        PtxOperand.Part b = (PtxOperand.Part) sources.get(1);
        long x =
                VideoOperations.part(
                        value(frame, a.value(), lane), a.part(), types.get(set ? 0 : 1));
        long y =
                VideoOperations.part(
                        value(frame, b.value(), lane), b.part(), types.get(set ? 1 : 2));
        PtxOperand third = sources.size() > 2 ? sources.get(2) : null;
        boolean minusC = third instanceof PtxOperand.Part;
        PtxOperand c = third instanceof PtxOperand.Part part ? part.value() : third;
        long z = c == null ? 0 : value(frame, c, lane);
        PtxOperand result = instruction.results().getFirst();
        if (operation.opcode() == PtxOpcode.VMAD) {
            boolean minusProduct = a.negated() ^ b.negated();
            write(
                    frame,
                    result,
                    lane,
                    VideoOperations.multiplyAdd(operation, x, y, (int) z, minusProduct, minusC));
            return;
        }
        PtxVideoPart into =
                result instanceof PtxOperand.Part part ? part.part() : PtxVideoPart.WORD;
        PtxOperand register = result instanceof PtxOperand.Part part ? part.value() : result;
        write(frame, register, lane, VideoOperations.evaluate(operation, into, x, y, z));
    }

    private void vote(CallFrame frame, PtxInstruction instruction, int mask) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        if (operation.has(PtxModifier.SYNC)) {
            checkMembers(frame, sources.getLast(), mask);
        }
        int truths = truths(frame, sources.getFirst(), mask);
        for (int lane = 0; lane < LANES; lane++) {
            if ((mask >>> lane & 1) == 0) {
                continue;
            }
            // Groups of threads with different member masks may vote at once.
            boolean isGrouped = operation.has(PtxModifier.SYNC);
            int members = mask & (isGrouped ? (int) value(frame, sources.getLast(), lane) : -1);
            int ours = truths & members;
            long result =
                    operation.has(PtxModifier.BALLOT)
                            ? Integer.toUnsignedLong(ours)
                            : isTrue(operation, ours, members) ? 1 : 0;
            write(frame, instruction.results().getFirst(), lane, result);
        }
    }

    private static boolean isTrue(PtxOperation operation, int truths, int mask) {
        if (operation.has(PtxModifier.ALL)) {
            return truths == mask;
        }
        if (operation.has(PtxModifier.ANY)) {
            return truths != 0;
        }
        return truths == mask || truths == 0;
    }

    private void shuffle(CallFrame frame, PtxInstruction instruction, int mask) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        if (operation.has(PtxModifier.SYNC)) {
            checkMembers(frame, sources.getLast(), mask);
        }
        final int clampShift = 8;
        final int laneMask = LANES - 1;
        long[] values = new long[LANES];
        long[] results = new long[LANES];
        int valid = 0;
        for (int lane = 0; lane < LANES; lane++) {
            values[lane] = value(frame, sources.get(0), lane);
        }
        for (int lane = 0; lane < LANES; lane++) {
            int b = (int) value(frame, sources.get(1), lane) & laneMask;
            int control = (int) value(frame, sources.get(2), lane);
            int clamp = control & laneMask;
            int segment = control >>> clampShift & laneMask;
            int greatest = lane & segment | clamp & ~segment;
            int least = lane & segment;
            int from;
            boolean inside;
            if (operation.has(PtxModifier.UP)) {
                from = lane - b;
                inside = from >= greatest;
            } else if (operation.has(PtxModifier.DOWN)) {
                from = lane + b;
                inside = from <= greatest;
            } else if (operation.has(PtxModifier.BFLY)) {
                from = lane ^ b;
                inside = from <= greatest;
            } else {
                from = least | b & ~segment;
                inside = from <= greatest;
            }
            results[lane] = values[inside ? from : lane];
            valid |= inside ? 1 << lane : 0;
        }
        for (int lane = 0; lane < LANES; lane++) {
            if ((mask >>> lane & 1) != 0) {
                write(frame, instruction.results().getFirst(), lane, results[lane]);
                if (instruction.results().size() > 1) {
                    write(frame, instruction.results().get(1), lane, valid >>> lane & 1);
                }
            }
        }
    }

    /// Checks that the lanes of a member mask that have not exited execute an instruction together.
    void checkMembers(CallFrame frame, PtxOperand members, int mask) {
        for (int lane = 0; lane < LANES; lane++) {
            if ((mask >>> lane & 1) != 0) {
                int wanted = (int) value(frame, members, lane) & warp.live();
                if ((wanted & ~mask) != 0) {
                    throw new MachineFault("members=0x%x, lanes=0x%x".formatted(wanted, mask));
                }
            }
        }
    }

    /// Returns the lanes with a true predicate.
    int truths(CallFrame frame, PtxOperand predicate, int mask) {
        int truths = 0;
        for (int lane = 0; lane < LANES; lane++) {
            if ((mask >>> lane & 1) != 0) {
                truths |= (int) value(frame, predicate, lane) << lane;
            }
        }
        return truths;
    }

    void writeAll(CallFrame frame, PtxOperand result, int mask, long value) {
        for (int lane = 0; lane < LANES; lane++) {
            if ((mask >>> lane & 1) != 0) {
                write(frame, result, lane, value);
            }
        }
    }

    private static void write(CallFrame frame, PtxOperand result, int lane, long value) {
        if (result instanceof PtxOperand.Register register) {
            frame.write(register.register(), lane, value);
        }
    }

    /// Returns the value of an operand.
    long value(CallFrame frame, PtxOperand operand, int lane) {
        return switch (operand) {
            case PtxOperand.Register register -> frame.read(register.register(), lane);
            case PtxOperand.Not not -> frame.read(not.register(), lane) ^ 1;
            case PtxOperand.Immediate immediate -> immediate.bits();
            case PtxOperand.Special special -> special(special.register(), lane);
            case PtxOperand.Address address -> memory.address(frame, address, lane);
            case PtxOperand.Part part -> value(frame, part.value(), lane);
            default -> throw new MachineFault("value of " + operand);
        };
    }

    private long special(PtxSpecialRegister register, int lane) {
        PtxMachine.Launch launch = warp.block.launch;
        PtxMachine.Size block = launch.block();
        PtxMachine.Size grid = launch.grid();
        int thread = warp.first + lane;
        return switch (register) {
            case TID_X -> thread % block.x();
            case TID_Y -> thread / block.x() % block.y();
            case TID_Z -> thread / (block.x() * block.y());
            case NTID_X -> block.x();
            case NTID_Y -> block.y();
            case NTID_Z -> block.z();
            case CTAID_X -> warp.block.x;
            case CTAID_Y -> warp.block.y;
            case CTAID_Z -> warp.block.z;
            case NCTAID_X -> grid.x();
            case NCTAID_Y -> grid.y();
            case NCTAID_Z -> grid.z();
            case LANEID -> lane;
            case WARPID -> warp.first / LANES;
            case NWARPID -> (block.count() + LANES - 1) / LANES;
            case LANEMASK_EQ -> 1L << lane;
            case LANEMASK_LE -> (2L << lane) - 1;
            case LANEMASK_LT -> (1L << lane) - 1;
            case LANEMASK_GE -> 0xFFFFFFFFL & -(1L << lane);
            case LANEMASK_GT -> 0xFFFFFFFFL & -(2L << lane);
            case CLOCK, CLOCK64 -> launch.machine().instructions();
            case DYNAMIC_SMEM_SIZE -> launch.dynamicBytes();
            case TOTAL_SMEM_SIZE -> launch.sharedBytes();
            case NSMID -> 1;
            default -> 0;
        };
    }
}
