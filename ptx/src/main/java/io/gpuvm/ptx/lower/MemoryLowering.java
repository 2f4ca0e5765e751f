package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.gf100.isa.AtomicOp;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.CacheOp;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxRegister;
import io.gpuvm.ptx.check.PtxSignature;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.Instruction;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Operand;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// Lowers loads, stores, atomic operations, conversions of addresses, and calls.
final class MemoryLowering {
    /// Size of the windows of shared and local memory in the generic address space.
    private static final int WINDOW_BYTES = 16 << 20;

    /// Alignment of results after the parameters of a call.
    private static final int RESULT_ALIGNMENT = 16;

    /// Name of the callee of an indirect call.
    private static final String INDIRECT = "";

    private final FunctionLowering lowering;
    private final Code code;

    MemoryLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    void lower(PtxInstruction instruction) {
        switch (instruction.opcode()) {
            case LD, LDU -> load(instruction);
            case ST -> store(instruction);
            case ATOM, RED -> atomic(instruction);
            case CVTA -> convertAddress(instruction);
            case ISSPACEP -> isSpace(instruction);
            case CALL -> call((PtxOperand.Call) instruction.sources().getFirst());
            default -> {}
        }
    }

    /// Address of an access.
    ///
    /// @param base register, a pair for global memory with 64-bit addresses, or zero
    /// @param offset number of bytes added
    private record Address(Operand base, int offset, boolean extended) {}

    private static Operand window(PtxSpace space) {
        return new Operand.Constant(
                ConstantSection.DRIVER,
                space == PtxSpace.SHARED ? DriverBank.SHARED_WINDOW : DriverBank.LOCAL_WINDOW);
    }

    /// Returns the space of an access to a memory operand; `.param` variables of functions are
    /// local, those of kernels constant.
    private static PtxSpace space(PtxOperation operation, PtxOperand.Memory memory) {
        PtxSpace space = operation.space();
        if (space != PtxSpace.PARAM) {
            return space;
        }
        boolean isKernels =
                memory.variable() == null
                        || memory.variable().role() == PtxVariable.Role.KERNEL_PARAMETER;
        return isKernels ? PtxSpace.CONST : PtxSpace.LOCAL;
    }

    private static int bank(PtxOperand.Memory memory, PtxOperation operation) {
        return operation.space() == PtxSpace.PARAM ? ConstantSection.DRIVER : ConstantSection.USER;
    }

    /// Returns the address of an access to local, shared or constant memory.
    private Address near(PtxOperand.Memory memory, int bits) {
        Wide base = Wide.ZERO;
        long offset = memory.offset();
        if (memory.variable() != null) {
            PtxVariable variable = memory.variable();
            offset += lowering.addresses().offset(variable);
            boolean onStack =
                    variable.space() == PtxSpace.LOCAL
                            || variable.space() == PtxSpace.PARAM
                                    && variable.role() != PtxVariable.Role.KERNEL_PARAMETER;
            if (onStack) {
                base = new Wide(lowering.addresses().localBase(), Operand.Literal.ZERO);
            }
        } else if (memory.register() != null) {
            base = lowering.wide(new PtxOperand.Register(memory.register()));
        }
        Operand low = base.low();
        if (low instanceof Operand.Literal(int number)) {
            offset += number;
            low = Operand.Literal.ZERO;
        }
        if (fits((int) offset, bits)) {
            return new Address(low, (int) offset, false);
        }
        return new Address(code.value(code.sum(low, Code.literal((int) offset))), 0, false);
    }

    private static boolean fits(int offset, int bits) {
        return offset << Integer.SIZE - bits >> Integer.SIZE - bits == offset;
    }

    /// Returns the address of an access to global memory or by a generic address.
    private Address far(PtxOperand.Memory memory) {
        Wide base;
        long offset = memory.offset();
        boolean isExtended = lowering.module().addressBits() == Long.SIZE;
        if (memory.variable() != null) {
            base = lowering.address(memory.variable(), offset);
            offset = 0;
        } else if (memory.register() != null) {
            base = lowering.wide(new PtxOperand.Register(memory.register()));
        } else {
            base = Wide.of(offset);
            offset = 0;
        }
        if (offset != (int) offset) {
            base = code.sum(base, Wide.of(offset));
            offset = 0;
        }
        if (!isExtended) {
            return new Address(code.value(base.low()), (int) offset, false);
        }
        return new Address(code.combine(base), (int) offset, true);
    }

    private static MemorySize size(int bytes, boolean signed) {
        return switch (bytes) {
            case 1 -> signed ? MemorySize.S8 : MemorySize.U8;
            case 2 -> signed ? MemorySize.S16 : MemorySize.U16;
            case 4 -> MemorySize.B32;
            case 8 -> MemorySize.B64;
            default -> MemorySize.B128;
        };
    }

    private static boolean isVolatile(PtxOperation operation) {
        return operation.has(PtxModifier.VOLATILE) || operation.has(PtxModifier.CV);
    }

    private static CacheOp cache(PtxOperation operation) {
        if (operation.has(PtxModifier.CG)) {
            return CacheOp.CG;
        }
        if (operation.has(PtxModifier.CS) || operation.has(PtxModifier.LU)) {
            return CacheOp.CS;
        }
        return isVolatile(operation) || operation.has(PtxModifier.WT)
                ? CacheOp.CV_WT
                : CacheOp.DEFAULT;
    }

    private void load(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxOperand.Memory memory = (PtxOperand.Memory) instruction.sources().getFirst();
        PtxType type = operation.type();
        PtxSpace space = space(operation, memory);
        List<PtxOperand> results = instruction.results();
        int width = type.bytes();
        if (space == PtxSpace.CONST && isKnown(memory, width * results.size())) {
            loadKnown(instruction, memory);
            return;
        }
        Address address =
                switch (space) {
                    case GLOBAL, GENERIC -> far(memory);
                    case CONST -> near(memory, Short.SIZE);
                    default -> near(memory, 24);
                };
        int at = 0;
        while (at < results.size()) {
            int count = Math.min(results.size() - at, Math.max(1, 16 / width));
            if (space == PtxSpace.SHARED || space == PtxSpace.CONST || space == PtxSpace.LOCAL) {
                count = Math.min(count, 16 / width);
            }
            if (width < Integer.BYTES) {
                count = 1;
            }
            load(instruction, space, address, at, count);
            at += count;
        }
    }

    private static boolean isKnown(PtxOperand.Memory memory, int bytes) {
        return memory.register() == null && bytes >= Integer.BYTES;
    }

    /// Makes words of the parameters or of constant memory the operands of the results.
    private void loadKnown(PtxInstruction instruction, PtxOperand.Memory memory) {
        PtxType type = instruction.operation().type();
        int bank = bank(memory, instruction.operation());
        long start = memory.offset();
        if (memory.variable() != null) {
            start += lowering.addresses().offset(memory.variable());
        }
        int at = (int) start;
        for (PtxOperand result : instruction.results()) {
            switch (type.bytes()) {
                case Integer.BYTES ->
                        setLoaded(
                                result,
                                new Wide(new Operand.Constant(bank, at), Operand.Literal.ZERO),
                                type);
                case Long.BYTES ->
                        lowering.set(
                                result,
                                new Wide(
                                        new Operand.Constant(bank, at),
                                        new Operand.Constant(bank, at + Integer.BYTES)));
                default -> {
                    Operand word = new Operand.Constant(bank, at & -Integer.BYTES);
                    int first = at % Integer.BYTES * Byte.SIZE;
                    Operand part = code.field(word, first, type.bits(), type.isSigned());
                    setLoaded(result, new Wide(part, Operand.Literal.ZERO), type);
                }
            }
            at += type.bytes();
        }
    }

    /// Assigns a loaded word, extended to the width of the register.
    private void setLoaded(PtxOperand result, Wide word, PtxType type) {
        boolean isWide =
                result instanceof PtxOperand.Register(PtxRegister register)
                        && register.type().bytes() == Long.BYTES;
        lowering.set(result, isWide ? code.extend(word.low(), type.isSigned()) : word);
    }

    /// Adds one load of some of the results.
    private void load(
            PtxInstruction instruction, PtxSpace space, Address address, int first, int count) {
        PtxOperation operation = instruction.operation();
        PtxType type = operation.type();
        int bytes = type.bytes() * count;
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIZE, size(bytes, type.isSigned()))
                        .with(Field.OFFSET, address.offset + first * type.bytes());
        Instruction load;
        switch (space) {
            case CONST -> {
                PtxOperand.Memory memory = (PtxOperand.Memory) instruction.sources().getFirst();
                load =
                        Code.make(Opcode.LDC, modifiers.with(Field.OFFSET, 0))
                                .use(Slot.A, address.base)
                                .use(
                                        Slot.B,
                                        new Operand.Constant(
                                                bank(memory, operation),
                                                address.offset + first * type.bytes()));
            }
            case SHARED -> load = Code.make(Opcode.LDS, modifiers).use(Slot.A, address.base);
            case LOCAL -> load = Code.make(Opcode.LDL, modifiers).use(Slot.A, address.base);
            default -> {
                boolean uniform = instruction.opcode() == PtxOpcode.LDU;
                load =
                        Code.make(
                                        uniform ? Opcode.LDU : Opcode.LD,
                                        (uniform
                                                        ? modifiers
                                                        : modifiers.with(
                                                                Field.CACHE, cache(operation)))
                                                .with(Field.EXTENDED, address.extended))
                                .use(Slot.A, address.base);
            }
        }
        Operand[] former = former(instruction.results(), type, first, count);
        int words = Math.max(1, bytes / Integer.BYTES);
        Value value = words == 1 ? code.function().word() : code.function().wide(words);
        if (former != null) {
            load.use(Slot.KEPT, code.combine(former));
        }
        load.define(value).isVolatile(isVolatile(operation));
        code.effect(load);
        int at = 0;
        for (int i = first; i < first + count; i++) {
            Operand low = words == 1 ? value : code.extract(value, at++);
            Wide loaded =
                    type.bytes() == Long.BYTES
                            ? new Wide(low, code.extract(value, at++))
                            : new Wide(low, Operand.Literal.ZERO);
            setGuarded(instruction.results().get(i), loaded, type);
        }
    }

    private void setGuarded(PtxOperand result, Wide loaded, PtxType type) {
        boolean isWide =
                type.bytes() < Long.BYTES
                        && result instanceof PtxOperand.Register(PtxRegister register)
                        && register.type().bytes() == Long.BYTES;
        lowering.setGuarded(result, isWide ? code.extend(loaded.low(), type.isSigned()) : loaded);
    }

    /// Returns the former words of results under a guard, or null if the load has no guard or no
    /// result is defined. A narrow load into a wide register keeps the lower word only.
    private Operand[] former(List<PtxOperand> results, PtxType type, int first, int count) {
        if (lowering.guard() == null) {
            return null;
        }
        List<Operand> words = new ArrayList<>();
        boolean any = false;
        for (int i = first; i < first + count; i++) {
            for (int word = 0; word < Math.max(1, type.bytes() / Integer.BYTES); word++) {
                Operand former = lowering.former(results.get(i), word);
                any |= former != null;
                words.add(former == null ? Operand.Literal.ZERO : former);
            }
        }
        return any ? words.toArray(Operand[]::new) : null;
    }

    private void store(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxOperand.Memory memory = (PtxOperand.Memory) instruction.sources().getFirst();
        List<PtxOperand> data = instruction.sources().subList(1, instruction.sources().size());
        PtxType type = operation.type();
        PtxSpace space = space(operation, memory);
        Address address =
                switch (space) {
                    case GLOBAL, GENERIC -> far(memory);
                    default -> near(memory, 24);
                };
        int at = 0;
        while (at < data.size()) {
            int count = Math.min(data.size() - at, Math.max(1, 16 / type.bytes()));
            if (type.bytes() < Integer.BYTES) {
                count = 1;
            }
            store(operation, space, address, data.subList(at, at + count), at * type.bytes());
            at += count;
        }
    }

    private void store(
            PtxOperation operation,
            PtxSpace space,
            Address address,
            List<PtxOperand> data,
            int offset) {
        PtxType type = operation.type();
        List<Operand> words = new ArrayList<>();
        for (PtxOperand source : data) {
            if (type.bytes() == Long.BYTES) {
                Wide wide = lowering.wide(source);
                words.add(wide.low());
                words.add(wide.high());
            } else {
                words.add(lowering.word(source));
            }
        }
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIZE, size(type.bytes() * data.size(), false))
                        .with(Field.OFFSET, address.offset + offset);
        Operand value =
                words.size() == 1 && Code.is(words.getFirst(), 0)
                        ? Operand.Literal.ZERO
                        : code.combine(words.toArray(Operand[]::new));
        Instruction store =
                switch (space) {
                    case SHARED -> Code.make(Opcode.STS, modifiers);
                    case LOCAL -> Code.make(Opcode.STL, modifiers);
                    default ->
                            Code.make(
                                    Opcode.ST,
                                    modifiers
                                            .with(Field.CACHE, cache(operation))
                                            .with(Field.EXTENDED, address.extended));
                };
        store.isVolatile(isVolatile(operation));
        code.effect(store.use(Slot.A, address.base).use(Slot.DATA, value));
    }

    // Atomic operations.

    private void atomic(PtxInstruction instruction) {
        if (instruction.operation().space() == PtxSpace.SHARED) {
            lockedAtomic(instruction);
            return;
        }
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        Address address = far((PtxOperand.Memory) sources.getFirst());
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
                        .with(Field.EXTENDED, address.extended);
        int offset = address.offset;
        Operand base = address.base;
        if (!isReduction && !fits(offset, 20)) {
            base = moved(base, offset);
            offset = 0;
        }
        Instruction atomic =
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
            return;
        }
        PtxOperand result =
                instruction.results().isEmpty()
                        ? new PtxOperand.Discard()
                        : instruction.results().getFirst();
        Operand low = lowering.former(result, 0);
        if (low != null) {
            atomic.use(
                    Slot.KEPT,
                    isWide ? code.combine(low, lowering.former(result, 1)) : code.value(low));
        }
        Value value = isWide ? code.function().wide(2) : code.function().word();
        code.effect(atomic.define(value));
        lowering.setGuarded(
                result, isWide ? code.words(value) : new Wide(value, Operand.Literal.ZERO));
    }

    private static boolean isDiscarded(PtxInstruction instruction) {
        return instruction.results().isEmpty()
                || instruction.results().getFirst() instanceof PtxOperand.Discard;
    }

    private Operand moved(Operand base, int offset) {
        Value value = (Value) base;
        return value.words() == 2
                ? code.combine(code.sum(code.words(value), Wide.of(offset)))
                : code.value(code.sum(value, Code.literal(offset)));
    }

    private Operand data(PtxOperand source, boolean isWide) {
        if (isWide) {
            return code.combine(lowering.wide(source));
        }
        Operand word = lowering.word(source);
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
    private void lockedAtomic(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        Address address = near((PtxOperand.Memory) sources.getFirst(), 24);
        AtomicOp op = operationOf(operation);
        boolean isWide = operation.type().bytes() == Long.BYTES;
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIZE, size(operation.type().bytes(), false))
                        .with(Field.OFFSET, address.offset);
        Value loaded = isWide ? code.function().wide(2) : code.function().word();
        Value acquired = code.function().predicate();
        code.add(
                Code.make(Opcode.LDSLK, modifiers)
                        .use(Slot.A, address.base)
                        .define(loaded)
                        .define(acquired));
        Wide old = isWide ? code.words(loaded) : new Wide(loaded, Operand.Literal.ZERO);
        Wide operand = lowering.wide(sources.get(1));
        Wide other = sources.size() > 2 ? lowering.wide(sources.get(2)) : null;
        Wide fresh =
                isWide
                        ? updated(op, old, operand, other)
                        : new Wide(
                                updated(
                                        operation.type(),
                                        op,
                                        old.low(),
                                        operand.low(),
                                        other == null ? null : other.low()),
                                Operand.Literal.ZERO);
        code.guard(acquired, false);
        code.effect(
                Code.make(Opcode.STSUL, modifiers)
                        .use(Slot.A, address.base)
                        .use(Slot.DATA, isWide ? code.combine(fresh) : code.value(fresh.low())));
        code.guard(null, false);
        lowering.lock(acquired);
        if (!instruction.results().isEmpty()) {
            lowering.set(instruction.results().getFirst(), old);
        }
    }

    private Wide updated(AtomicOp op, Wide old, Wide operand, Wide other) {
        return switch (op) {
            case ADD -> code.sum(old, operand);
            case EXCH -> operand;
            case CAS -> code.select(code.compare(Comparison.EQ, old, operand, false), other, old);
            default -> throw lowering.unsupported();
        };
    }

    private Operand updated(
            PtxType type, AtomicOp op, Operand old, Operand operand, Operand other) {
        return switch (op) {
            case ADD ->
                    type.isFloat()
                            ? code.word(
                                    Code.make(Opcode.FADD, Modifiers.of(Field.FTZ, 1))
                                            .use(Slot.A, old)
                                            .use(Slot.B, operand))
                            : code.sum(old, operand);
            case MIN, MAX -> code.minimum(old, operand, type.isSigned(), op == AtomicOp.MAX);
            case AND -> code.and(old, operand);
            case OR -> code.or(old, operand);
            case XOR -> code.exclusiveOr(old, operand);
            case EXCH -> operand;
            case CAS -> code.select(code.compare(Comparison.EQ, old, operand, false), other, old);
            case INC -> {
                Value isLast = code.compare(Comparison.GE, old, operand, false);
                yield code.select(isLast, Operand.Literal.ZERO, code.sum(old, Code.literal(1)));
            }
            case DEC -> {
                // Below zero, the number is above every operand.
                Operand less = code.sum(old, Code.literal(-1));
                Value isLast = code.compare(Comparison.GE, less, operand, false);
                yield code.select(isLast, operand, less);
            }
        };
    }

    // Addresses.

    private void convertAddress(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxOperand source = instruction.sources().getFirst();
        PtxOperand result = instruction.results().getFirst();
        Wide address = lowering.wide(source);
        PtxSpace space = operation.space();
        Wide converted = address;
        if (space == PtxSpace.SHARED || space == PtxSpace.LOCAL) {
            Operand base = window(space);
            Operand low =
                    operation.has(PtxModifier.TO)
                            ? code.difference(address.low(), base)
                            : code.sum(address.low(), base);
            converted = new Wide(low, Operand.Literal.ZERO);
        } else if (space != PtxSpace.GLOBAL) {
            throw lowering.unsupported();
        }
        lowering.set(result, converted);
    }

    private void isSpace(PtxInstruction instruction) {
        PtxSpace space = instruction.operation().space();
        Wide address = lowering.wide(instruction.sources().getFirst());
        Value result;
        if (space == PtxSpace.GLOBAL) {
            Value shared = isIn(address, PtxSpace.SHARED);
            Value local = isIn(address, PtxSpace.LOCAL);
            result =
                    code.predicate(
                            Code.make(Opcode.PSETP)
                                    .use(Slot.PA, shared, true)
                                    .use(Slot.PB, local, true));
        } else if (space == PtxSpace.SHARED || space == PtxSpace.LOCAL) {
            result = isIn(address, space);
        } else {
            throw lowering.unsupported();
        }
        lowering.set(instruction.results().getFirst(), result);
    }

    private Value isIn(Wide address, PtxSpace space) {
        Operand into = code.difference(address.low(), window(space));
        Instruction inWindow =
                Code.comparison(Comparison.LT, into, Code.literal(WINDOW_BYTES), false);
        Value isLow = code.compare(Comparison.EQ, address.high(), Operand.Literal.ZERO, false);
        return code.predicate(inWindow.use(Slot.P, isLow));
    }

    // Calls.

    private void call(PtxOperand.Call call) {
        PtxSignature signature = call.signature();
        for (int i = 0; i < call.arguments().size(); i++) {
            PtxParameter parameter = signature.parameters().get(i);
            pass(call.arguments().get(i), parameter, parameter.offset());
        }
        Operand target =
                call.target() instanceof PtxOperand.Address ? null : lowering.word(call.target());
        Instruction instruction = Code.make(Opcode.JCAL);
        if (target == null) {
            PtxOperand.Address address = (PtxOperand.Address) call.target();
            instruction.callee(lowering.addresses().name((PtxFunctionHeader) address.symbol()));
        } else {
            instruction = Code.make(Opcode.JMX).callee(INDIRECT).use(Slot.A, code.value(target));
        }
        code.effect(instruction);
        int start = resultOffset(signature);
        for (int i = 0; i < call.results().size(); i++) {
            PtxParameter parameter = signature.results().get(i);
            receive(call.results().get(i), parameter, start + parameter.offset());
        }
    }

    /// Returns the offset of results in the memory for the arguments of a call.
    static int resultOffset(PtxSignature signature) {
        return signature.parameterBytes() + RESULT_ALIGNMENT - 1 & -RESULT_ALIGNMENT;
    }

    private void pass(PtxOperand argument, PtxParameter parameter, int offset) {
        if (argument instanceof PtxOperand.Memory memory) {
            copyTo(memory.variable(), parameter);
            return;
        }
        int bytes = Math.max(Integer.BYTES, parameter.type().bytes());
        Modifiers modifiers =
                Modifiers.NONE.with(Field.SIZE, size(bytes, false)).with(Field.OFFSET, offset);
        Operand data =
                bytes == Long.BYTES
                        ? code.combine(lowering.wide(argument))
                        : code.value(lowering.word(argument));
        code.effect(
                Code.make(Opcode.STL, modifiers)
                        .use(Slot.A, lowering.addresses().localBase())
                        .use(Slot.DATA, data));
    }

    /// Copies a variable that is not in the place of the argument.
    private void copyTo(PtxVariable variable, PtxParameter parameter) {
        int from = lowering.addresses().offset(variable);
        copy(from, parameter.offset(), parameter.bytes());
    }

    private void copy(int from, int to, long bytes) {
        if (from == to) {
            return;
        }
        for (int at = 0; at < bytes; ) {
            int size = bytes - at >= Integer.BYTES ? Integer.BYTES : 1;
            Modifiers modifiers = Modifiers.NONE.with(Field.SIZE, size(size, false));
            Value word =
                    code.word(
                            Code.make(Opcode.LDL, modifiers.with(Field.OFFSET, from + at))
                                    .use(Slot.A, lowering.addresses().localBase()));
            code.effect(
                    Code.make(Opcode.STL, modifiers.with(Field.OFFSET, to + at))
                            .use(Slot.A, lowering.addresses().localBase())
                            .use(Slot.DATA, word));
            at += size;
        }
    }

    private void receive(PtxOperand result, PtxParameter parameter, int offset) {
        if (result instanceof PtxOperand.Memory memory) {
            copy(offset, lowering.addresses().offset(memory.variable()), parameter.bytes());
            return;
        }
        int bytes = Math.max(Integer.BYTES, parameter.type().bytes());
        Modifiers modifiers =
                Modifiers.NONE.with(Field.SIZE, size(bytes, false)).with(Field.OFFSET, offset);
        Instruction load =
                Code.make(Opcode.LDL, modifiers).use(Slot.A, lowering.addresses().localBase());
        lowering.set(
                result,
                bytes == Long.BYTES
                        ? code.pair(load)
                        : new Wide(code.word(load), Operand.Literal.ZERO));
    }

    /// Loads the parameters of a function that are registers.
    void receiveParameters() {
        PtxSignature signature = lowering.source().header().signature();
        if (lowering.source().header().kernel()) {
            return;
        }
        for (PtxParameter parameter : signature.parameters()) {
            if (parameter.register() != null) {
                receive(
                        new PtxOperand.Register(parameter.register()),
                        parameter,
                        lowering.addresses().incoming() + parameter.offset());
            }
        }
    }

    /// Stores the results of a function that are registers.
    void returnResults() {
        PtxSignature signature = lowering.source().header().signature();
        int start = lowering.addresses().incoming() + resultOffset(signature);
        for (PtxParameter result : signature.results()) {
            if (result.register() != null) {
                pass(new PtxOperand.Register(result.register()), result, start + result.offset());
            }
        }
    }
}
