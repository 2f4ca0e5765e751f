package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.AtomicOp;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.CacheOp;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Lowers atomic operations. Those on shared memory repeat their block until they have acquired a
/// lock, and those of 64 bits that the GPU does not have until they find the memory unchanged.
final class AtomicLowering {
    private final FunctionLowering lowering;
    private final Code code;
    private final MemoryLowering memory;

    /// Predicate that is true if an attempt of an exchange found the memory unchanged, or null if
    /// the current instruction has none.
    private Value isUnchanged;

    AtomicLowering(FunctionLowering lowering, Code code, MemoryLowering memory) {
        this.lowering = lowering;
        this.code = code;
        this.memory = memory;
    }

    /// Lowers an atomic operation.
    void lower(PtxInstruction instruction) {
        PtxOperand.Memory operand = (PtxOperand.Memory) instruction.sources().getFirst();
        isUnchanged = null;
        switch (MemoryLowering.space(instruction)) {
            case SHARED -> sharedAtomic(instruction, memory.near(operand, 24), null, null);
            case GENERIC -> {
                if (lowering.addresses().hasShared()) {
                    genericAtomic(instruction, operand);
                } else {
                    globalAtomic(instruction, memory.far(operand));
                }
            }
            default -> globalAtomic(instruction, memory.far(operand));
        }
    }

    /// Returns whether the GPU has an atomic operation on global memory.
    static boolean isNative(PtxOperation operation) {
        if (operation.type().bytes() != Long.BYTES) {
            return true;
        }
        return switch (operationOf(operation)) {
            case ADD -> !operation.type().isFloat();
            case EXCH, CAS -> true;
            default -> false;
        };
    }

    /// Adds an atomic operation on an address of any space: one on global memory for some threads,
    /// and one on shared memory for the others, which repeat the block until they have acquired the
    /// lock.
    private void genericAtomic(PtxInstruction instruction, PtxOperand.Memory operand) {
        Wide address = code.sum(base(operand), Wide.of(operand.offset()));
        Value isShared = memory.isIn(address, PtxSpace.SHARED);
        code.guard(isShared, true);
        MemoryLowering.Address all =
                lowering.module().addressBits() == Long.SIZE
                        ? new MemoryLowering.Address(code.combine(address), 0, true)
                        : new MemoryLowering.Address(code.value(address.low()), 0, false);
        Wide others = addGlobal(instruction, all);
        code.guard(null, false);
        IrOperand offset = code.difference(address.low(), MemoryLowering.window(PtxSpace.SHARED));
        sharedAtomic(
                instruction,
                new MemoryLowering.Address(code.value(offset), 0, false),
                isShared,
                others);
    }

    private Wide base(PtxOperand.Memory operand) {
        return operand.register() == null
                ? Wide.ZERO
                : lowering.wide(new PtxOperand.Register(operand.register()));
    }

    private void globalAtomic(PtxInstruction instruction, MemoryLowering.Address address) {
        Wide old = addGlobal(instruction, address);
        if (isUnchanged != null) {
            lowering.lock(isUnchanged);
        }
        if (old != null && !instruction.results().isEmpty()) {
            lowering.setGuarded(instruction.results().getFirst(), old);
        }
    }

    /// Adds an attempt of an atomic operation of 64 bits that the GPU does not have: the block
    /// repeats until no other thread has changed the memory meanwhile.
    private Wide addExchange(PtxInstruction instruction, MemoryLowering.Address address) {
        PtxOperation operation = instruction.operation();
        Modifiers place =
                Modifiers.of(Field.OFFSET, address.offset())
                        .with(Field.EXTENDED, address.extended());
        Value loaded = code.function().wide(2);
        code.effect(
                Code.make(
                                Opcode.LD,
                                place.with(Field.SIZE, MemorySize.B64)
                                        .with(Field.CACHE, CacheOp.CV_WT))
                        .use(Slot.A, address.base())
                        .define(loaded)
                        .isVolatile(true));
        Wide old = code.words(loaded);
        Wide fresh =
                updated(
                        operation.type(),
                        operationOf(operation),
                        old,
                        lowering.wide(instruction.sources().get(1)),
                        null);
        IrOperand base = address.base();
        if (!MemoryLowering.fits(address.offset(), 20)) {
            base = moved(base, address.offset());
            place = place.with(Field.OFFSET, 0);
        }
        Value found = code.function().wide(2);
        code.effect(
                Code.make(
                                Opcode.ATOM,
                                place.with(Field.ATOMIC, AtomicOp.CAS)
                                        .with(Field.ATOMIC_TYPE, AtomicType.U64.code()))
                        .use(Slot.A, base)
                        .use(Slot.DATA, code.combine(old))
                        .use(Slot.SWAP, code.combine(fresh))
                        .define(found));
        isUnchanged = code.compare(Comparison.EQ, code.words(found), old, false);
        return old;
    }

    /// Adds an atomic operation on global memory.
    ///
    /// @return former contents of the memory, or null if they are not wanted
    private Wide addGlobal(PtxInstruction instruction, MemoryLowering.Address address) {
        if (!isNative(instruction.operation())) {
            return addExchange(instruction, address);
        }
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        AtomicOp op = operationOf(operation);
        AtomicType type = typeOf(operation.type(), op);
        boolean isWide = type == AtomicType.U64;
        boolean isReduction = instruction.opcode() == PtxOpcode.RED || isDiscarded(instruction);
        boolean swaps = op == AtomicOp.CAS;
        if (isReduction && (op == AtomicOp.EXCH || swaps)) {
            isReduction = false;
        }
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.ATOMIC, op)
                        .with(Field.ATOMIC_TYPE, type.code())
                        .with(Field.EXTENDED, address.extended());
        int offset = address.offset();
        IrOperand base = address.base();
        if (!isReduction && !MemoryLowering.fits(offset, 20)) {
            base = moved(base, offset);
            offset = 0;
        }
        IrInstruction atomic =
                Code.make(
                                isReduction ? Opcode.RED : Opcode.ATOM,
                                modifiers.with(Field.OFFSET, offset))
                        .use(Slot.A, base)
                        .use(Slot.DATA, data(sources.get(1), isWide));
        if (swaps) {
            atomic.use(Slot.SWAP, data(sources.get(2), isWide));
        }
        if (isReduction) {
            code.effect(atomic);
            return null;
        }
        PtxOperand result =
                instruction.results().isEmpty()
                        ? new PtxOperand.Discard()
                        : instruction.results().getFirst();
        IrOperand low = lowering.former(result, 0);
        if (low != null) {
            atomic.use(
                    Slot.KEPT,
                    isWide ? code.combine(low, lowering.former(result, 1)) : code.value(low));
        }
        Value value = isWide ? code.function().wide(2) : code.function().word();
        code.effect(atomic.define(value));
        return isWide ? code.words(value) : new Wide(value, IrOperand.Literal.ZERO);
    }

    private static boolean isDiscarded(PtxInstruction instruction) {
        return instruction.results().isEmpty()
                || instruction.results().getFirst() instanceof PtxOperand.Discard;
    }

    private IrOperand moved(IrOperand base, int offset) {
        Value value = (Value) base;
        return value.words() == 2
                ? code.combine(code.sum(code.words(value), Wide.of(offset)))
                : code.value(code.sum(value, Code.literal(offset)));
    }

    private IrOperand data(PtxOperand source, boolean isWide) {
        if (isWide) {
            return code.combine(lowering.wide(source));
        }
        IrOperand word = lowering.word(source);
        return Code.is(word, 0) ? word : code.value(word);
    }

    private static AtomicOp operationOf(PtxOperation operation) {
        PtxModifier modifier = operation.in(PtxModifier.OPERATIONS);
        return AtomicOp.valueOf(modifier.name());
    }

    private static AtomicType typeOf(PtxType type, AtomicOp op) {
        if (type.bytes() == Long.BYTES) {
            return AtomicType.U64;
        }
        boolean ordered = op == AtomicOp.MIN || op == AtomicOp.MAX;
        if (type.isFloat() && op == AtomicOp.ADD) {
            return AtomicType.F32;
        }
        return ordered && type.isSigned() ? AtomicType.S32 : AtomicType.U32;
    }

    /// Adds an attempt of an atomic operation on shared memory: the block repeats until it has
    /// acquired the lock.
    ///
    /// @param isShared predicate of the threads to which the attempt applies, or null for all
    /// @param others former contents of the memory of the other threads, or null
    private void sharedAtomic(
            PtxInstruction instruction,
            MemoryLowering.Address address,
            Value isShared,
            Wide others) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        AtomicOp op = operationOf(operation);
        boolean isWide = operation.type().bytes() == Long.BYTES;
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIZE, MemoryLowering.size(operation.type().bytes(), false))
                        .with(Field.OFFSET, address.offset());
        Value loaded = isWide ? code.function().wide(2) : code.function().word();
        Value acquired = code.function().predicate();
        code.guard(isShared, false);
        code.effect(
                Code.make(Opcode.LDSLK, modifiers)
                        .use(Slot.A, address.base())
                        .define(loaded)
                        .define(acquired));
        code.guard(null, false);
        Wide old = isWide ? code.words(loaded) : new Wide(loaded, IrOperand.Literal.ZERO);
        Wide operand = lowering.wide(sources.get(1));
        Wide other = sources.size() > 2 ? lowering.wide(sources.get(2)) : null;
        Wide fresh =
                isWide
                        ? updated(operation.type(), op, old, operand, other)
                        : new Wide(
                                updated(
                                        operation.type(),
                                        op,
                                        old.low(),
                                        operand.low(),
                                        other == null ? null : other.low()),
                                IrOperand.Literal.ZERO);
        IrOperand data = isWide ? code.combine(fresh) : code.value(fresh.low());
        code.guard(isShared == null ? acquired : both(isShared, acquired, false), false);
        code.effect(
                Code.make(Opcode.STSUL, modifiers)
                        .use(Slot.A, address.base())
                        .use(Slot.DATA, data));
        code.guard(null, false);
        Value isDone = acquired;
        if (isUnchanged != null) {
            Value shared = both(isShared, acquired, false);
            isDone = either(shared, false, both(isUnchanged, isShared, true));
        } else if (isShared != null) {
            isDone = either(acquired, false, code.truth(isShared, true));
        }
        lowering.lock(isDone);
        if (!instruction.results().isEmpty()) {
            lowering.set(
                    instruction.results().getFirst(),
                    others == null ? old : code.select(isShared, old, others));
        }
    }

    private Value either(Value a, boolean inverted, Value b) {
        return code.predicate(
                Code.make(Opcode.PSETP, Modifiers.NONE.with(Field.LOGIC_INNER, LogicOp.OR))
                        .use(Slot.PA, a, inverted)
                        .use(Slot.PB, b));
    }

    private Value both(Value a, Value b, boolean inverted) {
        return code.predicate(Code.make(Opcode.PSETP).use(Slot.PA, a).use(Slot.PB, b, inverted));
    }

    private Wide updated(PtxType type, AtomicOp op, Wide old, Wide operand, Wide other) {
        return switch (op) {
            case ADD ->
                    type.isFloat()
                            ? code.words(
                                    code.wide(
                                            Code.make(Opcode.DADD)
                                                    .use(Slot.A, code.combine(old))
                                                    .use(Slot.B, code.combine(operand))))
                            : code.sum(old, operand);
            case EXCH -> operand;
            case CAS -> code.select(code.compare(Comparison.EQ, old, operand, false), other, old);
            case AND ->
                    new Wide(
                            code.and(old.low(), operand.low()),
                            code.and(old.high(), operand.high()));
            case OR ->
                    new Wide(
                            code.or(old.low(), operand.low()), code.or(old.high(), operand.high()));
            case XOR ->
                    new Wide(
                            code.exclusiveOr(old.low(), operand.low()),
                            code.exclusiveOr(old.high(), operand.high()));
            case MIN, MAX -> code.minimum(old, operand, type.isSigned(), op == AtomicOp.MAX);
            default -> throw lowering.unsupported();
        };
    }

    private IrOperand updated(
            PtxType type, AtomicOp op, IrOperand old, IrOperand operand, IrOperand other) {
        return switch (op) {
            case ADD ->
                    type.isFloat()
                            ? code.word(
                                    Code.make(Opcode.FADD).use(Slot.A, old).use(Slot.B, operand))
                            : code.sum(old, operand);
            case MIN, MAX -> code.minimum(old, operand, type.isSigned(), op == AtomicOp.MAX);
            case AND -> code.and(old, operand);
            case OR -> code.or(old, operand);
            case XOR -> code.exclusiveOr(old, operand);
            case EXCH -> operand;
            case CAS -> code.select(code.compare(Comparison.EQ, old, operand, false), other, old);
            case INC -> {
                Value isLast = code.compare(Comparison.GE, old, operand, false);
                yield code.select(isLast, IrOperand.Literal.ZERO, code.sum(old, Code.literal(1)));
            }
            case DEC -> {
                // Below zero, the number is above every operand.
                IrOperand less = code.sum(old, Code.literal(-1));
                Value isLast = code.compare(Comparison.GE, less, operand, false);
                yield code.select(isLast, operand, less);
            }
        };
    }
}
