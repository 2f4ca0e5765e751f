package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_int;

import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.Effects;
import io.gpuvm.softgpu.sm.flow.Liveness;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import io.gpuvm.softgpu.sm.flow.Uniformity;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes the methods of a lane loop: instructions that affect lanes only, in one loop over the
/// lanes.
///
/// The method itself is for warps whose lanes are all active; it passes other warps to a method of
/// the same name with the prefix [#MASKED]. Loads use addresses that registers contained before the
/// lane loop. The method checks all these addresses before the loop: if an address is invalid, the
/// method returns without effect, and the interpreter handles the error.
final class LaneLoopWriter {
    static final String MASKED = "masked";

    private static final int WARP = 0;
    private static final int INTERPRETER = 1;

    private final List<Instruction> instructions;
    private final boolean isVector;
    private final ThreadValues needed;
    private final ThreadValues uniformBefore;
    private final List<SharedAddresses> addresses;

    /// Indices of instructions that write the same values in all lanes.
    private final BitSet same;

    /// Flags that are written, needed, and the same in all active lanes; they are computed for one
    /// of these lanes.
    private final int uniformFlags;

    LaneLoopWriter(BasicBlock block, Part part, Liveness liveness, Uniformity uniformity) {
        instructions = block.instructions().subList(part.from(), part.to());
        isVector = part.kind() == Part.Kind.VECTORS;
        needed = liveness.after(block, part.to() - 1);
        uniformBefore = uniformity.before(block, part.from());
        same = new BitSet(instructions.size());
        for (int n = 0; n < instructions.size(); n++) {
            same.set(n, uniformity.isSame(block, part.from() + n));
        }
        addresses = SharedAddresses.of(instructions);
        uniformFlags =
                writtenFlags()
                        & LaneLoopFrame.flags(needed)
                        & LaneLoopFrame.flags(uniformity.before(block, part.to()));
    }

    /// Writes the method.
    ///
    /// @param ownClass class of the method
    /// @param name name of the method, or null for the masked variant
    void write(CodeBuilder code, ClassDesc ownClass, String name) {
        boolean isMasked = name == null;
        int active = code.allocateLocal(TypeKind.INT);
        code.aload(WARP).getfield(GeneratedNames.WARP, "active", CD_int).istore(active);
        if (!isMasked) {
            code.iload(active);
            if (addresses.isEmpty()) {
                // Lanes without a thread may compute undefined values, but must not load.
                code.aload(WARP).getfield(GeneratedNames.WARP, "threads", CD_int);
                code.iconst_m1().ixor().ior();
            }
            code.iconst_m1();
            Label all = code.newLabel();
            code.if_icmpeq(all);
            code.aload(WARP).aload(INTERPRETER);
            code.invokestatic(ownClass, MASKED + name, GeneratedNames.LANE_LOOP).ireturn();
            code.labelBinding(all);
        }
        Map<Integer, Integer> constants = constants(code);
        Map<Integer, Integer> flagWords = flagWords(code, active);
        Map<Integer, Integer> collected = collected(code);
        int unsafe = code.allocateLocal(TypeKind.REFERENCE);
        code.getstatic(GeneratedNames.ROW_ACCESS, "UNSAFE", ConstantDescs.CD_Object);
        code.checkcast(GeneratedNames.UNSAFE).astore(unsafe);
        int words = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(WARP)
                .getfield(GeneratedNames.WARP, "registers", GeneratedNames.INTS)
                .astore(words);
        int shared = shared(code, words, active);
        LaneLoopFrame frame =
                new LaneLoopFrame(
                        isMasked, isVector, unsafe, words, flagWords, collected, constants, shared,
                        needed);
        OneLane one = forOneLane(code, frame.forOneLane(), active);
        Set<Integer> rawRows = loop(code, frame.without(uniformFlags), one);
        int suspects = collected.remove(Flag.SUSPECT);
        if (!rawRows.isEmpty()) {
            oneNan(code, frame, rawRows, suspects, active);
        }
        collect(code, collected, active);
        code.iconst_1().ireturn();
    }

    /// Local variables of values that are the same in all lanes and known before the loop.
    ///
    /// @param integers values of registers at the start, by row
    /// @param reals the same values as numbers
    /// @param results results of instructions, by index
    private record OneLane(
            Map<Integer, Integer> integers,
            Map<Integer, Integer> reals,
            Map<Integer, LaneCode.Results> results) {}

    /// Writes the instructions that are the same in all lanes, for the first active lane.
    private OneLane forOneLane(CodeBuilder code, LaneLoopFrame frame, int active) {
        OneLane one = new OneLane(new TreeMap<>(), new TreeMap<>(), new HashMap<>());
        BitSet sources = sourcesOfSame();
        ThreadValues operands = uniformOperands();
        if (sources.isEmpty() && operands.isEmpty()) {
            return one;
        }
        int offset = code.allocateLocal(TypeKind.LONG);
        code.iload(active);
        code.invokestatic(
                ConstantDescs.CD_Integer, "numberOfTrailingZeros", GeneratedNames.INT_TO_INT);
        code.i2l().loadConstant((long) Integer.BYTES).lmul().lstore(offset);
        LaneCode lane = new LaneCode(code, frame, offset);
        for (long left = operands.registers(); left != 0; left &= left - 1) {
            int row = Rows.source(Long.numberOfTrailingZeros(left));
            lane.keep(row, one.integers, one.reals);
        }
        for (int n = sources.nextSetBit(0); n >= 0; n = sources.nextSetBit(n + 1)) {
            Instruction i = instructions.get(n);
            lane.begin(i);
            Emitters.of(i).emit(i, lane);
            if (same.get(n)) {
                one.results.put(n, lane.results(Effects.of(i).writes()));
            }
        }
        for (int flag = 0; flag < Flag.COUNT; flag++) {
            if ((uniformFlags >>> flag & 1) != 0) {
                lane.flags().pushWhole(flag);
                code.istore(frame.collected(flag));
            }
        }
        return one;
    }

    /// Returns the instructions that write the same values in all lanes, and the instructions on
    /// which these depend.
    private BitSet sourcesOfSame() {
        BitSet sources = new BitSet();
        ThreadValues wanted = LaneLoopFrame.valuesOf(uniformFlags);
        for (int n = instructions.size() - 1; n >= 0; n--) {
            Effects effects = Effects.of(instructions.get(n));
            if (same.get(n) || !effects.writes().and(wanted).isEmpty()) {
                wanted = wanted.minus(effects.kills()).or(effects.reads());
                sources.set(n);
            }
        }
        return sources;
    }

    /// Returns the registers whose former values the loop reads and that are the same in all lanes.
    private ThreadValues uniformOperands() {
        ThreadValues read = ThreadValues.NONE;
        ThreadValues written = ThreadValues.NONE;
        for (int n = 0; n < instructions.size(); n++) {
            Effects effects = Effects.of(instructions.get(n));
            if (!same.get(n)) {
                read = read.or(effects.reads().minus(written));
            }
            written = written.or(effects.writes());
        }
        return new ThreadValues(read.registers() & uniformBefore.registers(), 0, 0);
    }

    /// Writes the loop; returns the result of [LaneCode#finish()].
    private Set<Integer> loop(CodeBuilder code, LaneLoopFrame frame, OneLane one) {
        int lane = code.allocateLocal(TypeKind.INT);
        int offset = code.allocateLocal(TypeKind.LONG);
        Label head = code.newLabel();
        Label end = code.newLabel();
        code.iconst_0().istore(lane);
        code.labelBinding(head);
        code.iload(lane).bipush(frame.isVector() ? Rows.SPAN : Rows.LANES).if_icmpge(end);
        code.iload(lane).i2l().loadConstant((long) Integer.BYTES).lmul().lstore(offset);
        LaneCode body = new LaneCode(code, frame, offset);
        one.integers.forEach((row, slot) -> body.know(row, slot, one.reals.get(row)));
        for (int n = 0; n < instructions.size(); n++) {
            Instruction i = instructions.get(n);
            if (same.get(n)) {
                body.take(one.results.get(n));
            } else if (!Effects.isNever(i)) {
                body.begin(i);
                Emitters.of(i).emit(i, body);
            }
        }
        Set<Integer> rawRows = body.finish();
        code.iinc(lane, 1).goto_(head);
        code.labelBinding(end);
        return rawRows;
    }

    /// Replaces NaNs with the canonical NaN, if the rows may contain NaNs.
    private static void oneNan(
            CodeBuilder code, LaneLoopFrame frame, Set<Integer> rows, int suspects, int active) {
        Label none = code.newLabel();
        code.iload(suspects).iload(active).iand().ifeq(none);
        for (int row : rows) {
            code.aload(frame.words()).loadConstant(row).loadConstant(Rows.LANES);
            code.invokestatic(GeneratedNames.FLOATS, "oneNan", GeneratedNames.ONE_NAN);
        }
        code.labelBinding(none);
    }

    /// Checks all addresses of shared memory, and returns from the method if an address is invalid.
    ///
    /// @return local variable: the shared memory
    private int shared(CodeBuilder code, int words, int active) {
        if (addresses.isEmpty()) {
            return -1;
        }
        int shared = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(INTERPRETER)
                .getfield(GeneratedNames.INTERPRETER, "shared", GeneratedNames.SHARED)
                .astore(shared);
        for (SharedAddresses access : addresses) {
            Label isRight = code.newLabel();
            code.aload(shared).aload(words).loadConstant(access.row()).iload(active);
            code.loadConstant(access.start()).loadConstant(access.bytes());
            code.loadConstant(access.misaligned()).loadConstant(access.alignment());
            code.invokevirtual(GeneratedNames.SHARED, "covers", GeneratedNames.COVERS)
                    .ifne(isRight);
            code.iconst_0().ireturn();
            code.labelBinding(isRight);
        }
        return shared;
    }

    /// Reads the constants that are operands of instructions, or returns from the method if a
    /// constant cannot be read.
    private Map<Integer, Integer> constants(CodeBuilder code) {
        Set<Integer> keys = new TreeSet<>();
        for (Instruction i : instructions) {
            if (i.kindB == OperandKind.CONSTANT || i.kindC == OperandKind.CONSTANT) {
                boolean isWide = WideOperands.has(i);
                int offset = isWide ? WideOperands.lower(i) : i.bankOffset;
                keys.add(LaneLoopFrame.key(i.bank, offset));
                if (isWide) {
                    keys.add(LaneLoopFrame.key(i.bank, offset + Integer.BYTES));
                }
            }
        }
        Map<Integer, Integer> slots = new HashMap<>();
        if (keys.isEmpty()) {
            return slots;
        }
        int cache = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(INTERPRETER)
                .getfield(GeneratedNames.INTERPRETER, "constants", GeneratedNames.CONSTANTS);
        code.astore(cache);
        for (int key : keys) {
            Label isHeld = code.newLabel();
            pushConstantCall(code, cache, key);
            code.invokevirtual(GeneratedNames.CONSTANTS, "obtains", GeneratedNames.OBTAINS)
                    .ifne(isHeld);
            code.iconst_0().ireturn();
            code.labelBinding(isHeld);
            pushConstantCall(code, cache, key);
            code.invokevirtual(GeneratedNames.CONSTANTS, "at", GeneratedNames.AT);
            int slot = code.allocateLocal(TypeKind.INT);
            code.istore(slot);
            slots.put(key, slot);
        }
        return slots;
    }

    private static void pushConstantCall(CodeBuilder code, int cache, int key) {
        code.aload(cache).loadConstant(LaneLoopFrame.bank(key));
        code.loadConstant(LaneLoopFrame.offset(key));
    }

    /// Reads the words of all flags that may be used.
    private Map<Integer, Integer> flagWords(CodeBuilder code, int active) {
        Set<Integer> flags = new TreeSet<>();
        int used = 0;
        for (Instruction i : instructions) {
            Effects effects = Effects.of(i);
            used |= LaneLoopFrame.flags(effects.reads().or(effects.writes()));
        }
        for (int flag = 0; flag < Flag.COUNT; flag++) {
            if ((used >>> flag & 1) != 0) {
                flags.add(flag);
            }
        }
        flags.remove(Flag.TRUE);
        Map<Integer, Integer> slots = new HashMap<>();
        slots.put(Flag.ACTIVE, active);
        for (int flag : flags) {
            int slot = code.allocateLocal(TypeKind.INT);
            pushFlagWord(code, flag);
            code.istore(slot);
            slots.put(flag, slot);
        }
        return slots;
    }

    private static void pushFlagWord(CodeBuilder code, int flag) {
        code.aload(WARP);
        if (flag < Flag.TRUE) {
            code.getfield(GeneratedNames.WARP, "predicates", GeneratedNames.INTS)
                    .loadConstant(flag)
                    .iaload();
        } else {
            code.getfield(GeneratedNames.WARP, field(flag), CD_int);
        }
    }

    private static String field(int flag) {
        return switch (flag) {
            case Flag.ZERO -> "zero";
            case Flag.SIGN -> "sign";
            case Flag.CARRY -> "carry";
            default -> "overflow";
        };
    }

    /// Allocates the words of flags that are needed.
    private Map<Integer, Integer> collected(CodeBuilder code) {
        Map<Integer, Integer> slots = new HashMap<>();
        int flags = writtenFlags() & LaneLoopFrame.flags(needed) | 1 << Flag.SUSPECT;
        for (int flag = 0; flag < Flag.COUNT; flag++) {
            if ((flags & 1 << flag) != 0) {
                int slot = code.allocateLocal(TypeKind.INT);
                code.iconst_0().istore(slot);
                slots.put(flag, slot);
            }
        }
        return slots;
    }

    private int writtenFlags() {
        int flags = 0;
        for (Instruction i : instructions) {
            flags |= LaneLoopFrame.flags(Effects.of(i).writes());
        }
        return flags & ~(1 << Flag.TRUE);
    }

    /// Writes the collected words, for the active lanes.
    private static void collect(CodeBuilder code, Map<Integer, Integer> collected, int active) {
        collected.forEach((flag, slot) -> {
            code.aload(WARP);
            if (flag < Flag.TRUE) {
                code.getfield(GeneratedNames.WARP, "predicates", GeneratedNames.INTS)
                        .loadConstant(flag);
            }
            pushFlagWord(code, flag);
            code.dup().iload(slot).ixor().iload(active).iand().ixor();
            if (flag < Flag.TRUE) {
                code.iastore();
            } else {
                code.putfield(GeneratedNames.WARP, field(flag), CD_int);
            }
        });
    }
}
