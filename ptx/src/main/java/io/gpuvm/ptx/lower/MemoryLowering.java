package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.gf100.isa.CacheOp;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxRegister;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// Lowers loads, stores and conversions of addresses.
final class MemoryLowering {
    /// Size of the windows of shared and local memory in the generic address space.
    private static final int WINDOW_BYTES = 16 << 20;

    private final FunctionLowering lowering;
    private final Code code;
    private final AtomicLowering atomics;

    MemoryLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
        atomics = new AtomicLowering(lowering, code, this);
    }

    void lower(PtxInstruction instruction) {
        switch (instruction.opcode()) {
            case LD, LDU, ST, ATOM, RED -> access(instruction);
            case CVTA -> convertAddress(instruction);
            case ISSPACEP -> isSpace(instruction);
            default -> {}
        }
    }

    /// Adds an access, with fences for its order among the accesses of its thread.
    private void access(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        if (operation.has(PtxModifier.RELEASE) || operation.has(PtxModifier.ACQ_REL)) {
            code.effect(WarpLowering.fence(operation));
        }
        switch (instruction.opcode()) {
            case LD, LDU -> load(instruction);
            case ST -> store(instruction);
            default -> atomics.lower(instruction);
        }
        if (operation.has(PtxModifier.ACQUIRE) || operation.has(PtxModifier.ACQ_REL)) {
            code.effect(WarpLowering.fence(operation));
        }
    }

    /// Offset of the last byte of the longest access, whose parts have offsets of their own.
    private static final int LAST_BYTE = 15;

    /// Address of an access.
    ///
    /// @param base register, a pair for global memory with 64-bit addresses, or zero
    /// @param offset number of bytes added
    record Address(IrOperand base, int offset, boolean extended) {}

    static IrOperand window(PtxSpace space) {
        return new IrOperand.Constant(
                ConstantSection.DRIVER,
                space == PtxSpace.SHARED ? DriverBank.SHARED_WINDOW : DriverBank.LOCAL_WINDOW);
    }

    /// Returns the space of an access, which is that of its variable if it names one.
    static PtxSpace space(PtxInstruction instruction) {
        return space(instruction.operation(), (PtxOperand.Memory) instruction.sources().getFirst());
    }

    private static PtxSpace space(PtxOperation operation, PtxOperand.Memory memory) {
        return operation.space() == PtxSpace.GENERIC && memory.variable() != null
                ? memory.variable().space()
                : operation.space();
    }

    /// Returns the space of an access of which parameters are a part: those of kernels are
    /// constant; those of functions, and the arguments of calls, are local.
    private PtxSpace physicalSpace(PtxOperation operation, PtxOperand.Memory memory) {
        PtxSpace space = space(operation, memory);
        if (space != PtxSpace.PARAM) {
            return space;
        }
        // A kernel that stores by a register stores an argument.
        boolean isKernels =
                memory.variable() == null
                        ? lowering.source().header().kernel() && operation.opcode() != PtxOpcode.ST
                        : memory.variable().role() == PtxVariable.Role.KERNEL_PARAMETER;
        return isKernels ? PtxSpace.CONST : PtxSpace.LOCAL;
    }

    private static int bank(PtxOperand.Memory memory, PtxOperation operation) {
        boolean isParameter =
                operation.space() == PtxSpace.PARAM
                        || memory.variable() != null && memory.variable().space() == PtxSpace.PARAM;
        return isParameter ? ConstantSection.DRIVER : ConstantSection.USER;
    }

    /// Returns the address of an access to local, shared or constant memory.
    Address near(PtxOperand.Memory memory, int bits) {
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
                base = new Wide(lowering.addresses().localBase(), IrOperand.Literal.ZERO);
            }
        } else if (memory.register() != null) {
            base = lowering.wide(new PtxOperand.Register(memory.register()));
        }
        IrOperand low = base.low();
        if (low instanceof IrOperand.Literal(int number)) {
            offset += number;
            low = IrOperand.Literal.ZERO;
        }
        if (fits((int) offset, bits) && fits((int) offset + LAST_BYTE, bits)) {
            return new Address(low, (int) offset, false);
        }
        return new Address(code.value(code.sum(low, Code.literal((int) offset))), 0, false);
    }

    static boolean fits(int offset, int bits) {
        return offset << Integer.SIZE - bits >> Integer.SIZE - bits == offset;
    }

    /// Returns the address of an access to global memory or by a generic address.
    Address far(PtxOperand.Memory memory) {
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
        if (offset != (int) offset || offset + LAST_BYTE != (int) (offset + LAST_BYTE)) {
            base = code.sum(base, Wide.of(offset));
            offset = 0;
        }
        if (!isExtended) {
            return new Address(code.value(base.low()), (int) offset, false);
        }
        return new Address(code.combine(base), (int) offset, true);
    }

    static MemorySize size(int bytes, boolean signed) {
        return switch (bytes) {
            case 1 -> signed ? MemorySize.S8 : MemorySize.U8;
            case 2 -> signed ? MemorySize.S16 : MemorySize.U16;
            case 4 -> MemorySize.B32;
            case 8 -> MemorySize.B64;
            default -> MemorySize.B128;
        };
    }

    /// Returns whether other threads may observe the order of an access.
    private static boolean isVolatile(PtxOperation operation) {
        return operation.has(PtxModifier.VOLATILE)
                || operation.has(PtxModifier.CV)
                || operation.has(PtxModifier.RELAXED)
                || operation.has(PtxModifier.ACQUIRE)
                || operation.has(PtxModifier.RELEASE);
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
        PtxSpace space = physicalSpace(operation, memory);
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
        checkKnown(instruction, start, type);
        int at = (int) start;
        for (PtxOperand result : instruction.results()) {
            switch (type.bytes()) {
                case Integer.BYTES ->
                        setLoaded(
                                result,
                                new Wide(new IrOperand.Constant(bank, at), IrOperand.Literal.ZERO),
                                type);
                case Long.BYTES ->
                        lowering.set(
                                result,
                                new Wide(
                                        new IrOperand.Constant(bank, at),
                                        new IrOperand.Constant(bank, at + Integer.BYTES)));
                default -> {
                    IrOperand word = new IrOperand.Constant(bank, at & -Integer.BYTES);
                    int first = at % Integer.BYTES * Byte.SIZE;
                    IrOperand part = code.field(word, first, type.bits(), type.isSigned());
                    setLoaded(result, new Wide(part, IrOperand.Literal.ZERO), type);
                }
            }
            at += type.bytes();
        }
    }

    /// Checks that an instruction can contain the offsets of all words of a load.
    private static void checkKnown(PtxInstruction instruction, long start, PtxType type) {
        int alignment = Math.min(type.bytes(), Integer.BYTES);
        long last = ConstantSection.BYTES - (long) type.bytes() * instruction.results().size();
        if (start < 0 || start > last || start % alignment != 0) {
            throw new LoweringException(
                    instruction.position(),
                    "address: offset=%d, expected a multiple of %d from 0 to %d"
                            .formatted(start, alignment, last));
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
        IrInstruction load;
        switch (space) {
            case CONST -> {
                PtxOperand.Memory memory = (PtxOperand.Memory) instruction.sources().getFirst();
                load =
                        Code.make(Opcode.LDC, modifiers.with(Field.OFFSET, 0))
                                .use(Slot.A, address.base)
                                .use(
                                        Slot.B,
                                        new IrOperand.Constant(
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
        boolean isExtended = isExtended(instruction.results(), type, first, count);
        IrOperand[] former = isExtended ? null : former(instruction.results(), type, first, count);
        int words = Math.max(1, bytes / Integer.BYTES);
        Value value = words == 1 ? code.function().word() : code.function().wide(words);
        if (former != null) {
            load.use(Slot.KEPT, code.combine(former));
        }
        load.define(value).isVolatile(isVolatile(operation));
        code.effect(load);
        int at = 0;
        for (int i = first; i < first + count; i++) {
            IrOperand low = words == 1 ? value : code.extract(value, at++);
            Wide loaded =
                    type.bytes() == Long.BYTES
                            ? new Wide(low, code.extract(value, at++))
                            : new Wide(low, IrOperand.Literal.ZERO);
            PtxOperand result = instruction.results().get(i);
            if (isExtended) {
                setLoaded(result, loaded, type);
            } else {
                lowering.setGuarded(result, loaded);
            }
        }
    }

    /// Returns whether a result is a register of 64 bits for a narrower type. Under a guard, the
    /// threads that the guard excludes keep the upper word, too, which the load does not define.
    private static boolean isExtended(
            List<PtxOperand> results, PtxType type, int first, int count) {
        return type.bytes() < Long.BYTES
                && results.subList(first, first + count).stream()
                        .anyMatch(result ->
                                result instanceof PtxOperand.Register(PtxRegister register)
                                        && register.type().bytes() == Long.BYTES);
    }

    /// Returns the former words of results under a guard, or null if the load has no guard or no
    /// result is defined.
    private IrOperand[] former(List<PtxOperand> results, PtxType type, int first, int count) {
        if (lowering.guard() == null) {
            return null;
        }
        List<IrOperand> words = new ArrayList<>();
        boolean any = false;
        for (int i = first; i < first + count; i++) {
            for (int word = 0; word < Math.max(1, type.bytes() / Integer.BYTES); word++) {
                IrOperand former = lowering.former(results.get(i), word);
                any |= former != null;
                words.add(former == null ? IrOperand.Literal.ZERO : former);
            }
        }
        return any ? words.toArray(IrOperand[]::new) : null;
    }

    private void store(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxOperand.Memory memory = (PtxOperand.Memory) instruction.sources().getFirst();
        List<PtxOperand> data = instruction.sources().subList(1, instruction.sources().size());
        PtxType type = operation.type();
        PtxSpace space = physicalSpace(operation, memory);
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
        List<IrOperand> words = new ArrayList<>();
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
        IrOperand value =
                words.size() == 1 && Code.is(words.getFirst(), 0)
                        ? IrOperand.Literal.ZERO
                        : code.combine(words.toArray(IrOperand[]::new));
        IrInstruction store =
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

    // Addresses.

    private void convertAddress(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxOperand source = instruction.sources().getFirst();
        PtxOperand result = instruction.results().getFirst();
        Wide address = lowering.wide(source);
        PtxSpace space = operation.space();
        Wide converted = address;
        if (space == PtxSpace.SHARED || space == PtxSpace.LOCAL || space == PtxSpace.PARAM) {
            IrOperand base = space == PtxSpace.PARAM ? parameterBase() : window(space);
            IrOperand low =
                    operation.has(PtxModifier.TO)
                            ? code.difference(address.low(), base)
                            : code.sum(address.low(), base);
            converted = new Wide(low, IrOperand.Literal.ZERO);
        } else if (space == PtxSpace.CONST) {
            Wide base = constantWindow();
            converted =
                    operation.has(PtxModifier.TO)
                            ? code.difference(address, base)
                            : code.sum(address, base);
        }
        lowering.set(result, converted);
    }

    /// Returns what a parameter's generic address is greater than its address in the space: those
    /// of kernels have a copy in local memory, those of other functions are there.
    private IrOperand parameterBase() {
        int copy = lowering.addresses().parameterCopy();
        if (copy < 0) {
            return window(PtxSpace.LOCAL);
        }
        IrOperand base = code.sum(window(PtxSpace.LOCAL), lowering.addresses().localBase());
        return code.sum(base, Code.literal(copy - ConstantSection.PARAMETERS));
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
        } else if (space == PtxSpace.CONST) {
            Wide into = code.difference(address, constantWindow());
            Wide bytes = Wide.of(lowering.addresses().constantBytes());
            result = code.compare(Comparison.LT, into, bytes, false);
        } else {
            result = isIn(address, space);
        }
        lowering.set(instruction.results().getFirst(), result);
    }

    /// Returns the generic address of the constant bank: the bank is a part of global memory.
    private Wide constantWindow() {
        IrOperand.Constant low = lowering.addresses().constantWindow();
        return new Wide(low, new IrOperand.Constant(low.bank(), low.offset() + Integer.BYTES));
    }

    Value isIn(Wide address, PtxSpace space) {
        IrOperand into = code.difference(address.low(), window(space));
        IrInstruction inWindow =
                Code.comparison(Comparison.LT, into, Code.literal(WINDOW_BYTES), false);
        Value isLow = code.compare(Comparison.EQ, address.high(), IrOperand.Literal.ZERO, false);
        return code.predicate(inWindow.use(Slot.P, isLow));
    }
}
