package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxRegister;
import io.gpuvm.ptx.check.PtxSpecialRegister;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Terminator;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/// Lowers one function: a walk over the dominator tree, during which each register has a current
/// operand. Values in registers of less than 32 bits have arbitrary upper bits.
public final class FunctionLowering {
    /// Estimate of the memory for an operand of a phi, in bytes.
    private static final int BYTES_OF_PHI_OPERAND = 80;

    /// Number of instructions without results that an instruction of the source has besides those
    /// that the memory for its characters contains.
    private static final int MANY_STORES = 4;

    private static final int WORD_BITS = Integer.SIZE;

    /// Bits of the special registers with the numbers of warp and multiprocessor, and with their
    /// limits; see [SpecialRegister].
    private static final int WARP_BIT = 8;

    private static final int WARP_BITS = 5;
    private static final int WARP_COUNT_BITS = 7;
    private static final int SM_BIT = 20;
    private static final int SM_BITS = 9;

    private final PtxModule module;
    private final PtxFunction source;
    private final Addresses addresses;
    private final Shape shape;
    private final Registers registers;
    private final Code code;
    private final SlowPaths slowPaths;
    private final List<List<Integer>> phiVariables;
    private final IrOperand[][][] phiOperands;

    /// Index of each block among the predecessors of its only successor that has several.
    private final int[] positions;

    /// Number of instructions of the block, and of values, at the last count.
    private int countedInstructions;

    private int countedValues;

    private final Dominators dominators;
    private final IntegerLowering integers;
    private final FloatLowering floats;
    private final DoubleLowering doubles;
    private final HalfLowering halves;
    private final ConversionLowering conversions;
    private final MemoryLowering memory;
    private final CallLowering calls;
    private final WarpLowering warps;
    private final VideoLowering videos;
    private final TextureLowering textures;

    /// Block of the source that is lowered.
    private Block current;

    private PtxInstruction now;
    private IrOperand guard;
    private boolean guardInverted;

    /// Result of [Convergence], or null before its first use.
    private BitSet separated;

    /// Predicate that is true if the block's lock was acquired.
    private Value lock;

    private FunctionLowering(PtxModule module, PtxFunction source, Addresses addresses) {
        this.module = module;
        this.source = source;
        this.addresses = addresses;
        shape = Shape.of(source, addresses.hasShared());
        registers = new Registers(source);
        code = new Code(shape.function());
        slowPaths = new SlowPaths(code);
        dominators = Dominators.of(Graph.of(shape.function()));
        phiVariables = PhiPlacement.of(source, shape, registers, dominators);
        phiOperands = new IrOperand[shape.function().blocks().size()][][];
        positions = new int[phiOperands.length];
        for (Block block : shape.function().blocks()) {
            List<Block> predecessors = block.predecessors();
            for (int i = 0; i < predecessors.size() && predecessors.size() > 1; i++) {
                positions[predecessors.get(i).index()] = i;
            }
        }
        integers = new IntegerLowering(this, code);
        doubles = new DoubleLowering(this, code);
        floats = new FloatLowering(this, code, doubles);
        conversions = new ConversionLowering(this, code);
        halves = new HalfLowering(this, code, conversions);
        memory = new MemoryLowering(this, code);
        calls = new CallLowering(this, code);
        warps = new WarpLowering(this, code);
        videos = new VideoLowering(this, code);
        textures = new TextureLowering(this, code);
    }

    /// Returns the function in SSA form. Operands may need [Legalizer].
    public static Function lower(PtxModule module, PtxFunction source, Addresses addresses) {
        FunctionLowering lowering = new FunctionLowering(module, source, addresses);
        lowering.walk();
        lowering.finishPhis();
        lowering.slowPaths.orderBlocks();
        return lowering.shape.function();
    }

    PtxModule module() {
        return module;
    }

    PtxFunction source() {
        return source;
    }

    Addresses addresses() {
        return addresses;
    }

    Registers registers() {
        return registers;
    }

    IntegerLowering integers() {
        return integers;
    }

    /// Returns whether threads of a warp may execute the current block one after the other.
    boolean isSeparated() {
        if (separated == null) {
            separated = Convergence.separated(shape);
        }
        return separated.get(current.index());
    }

    /// Adds a slow path to the code of the current instruction; see [SlowPaths#choose].
    Wide choose(Value isUsual, Wide usual, Supplier<Wide> slow) {
        Wide result = slowPaths.choose(isUsual, usual, slow);
        // The flag of the carry is not kept from block to block.
        integers.start();
        return result;
    }

    void lock(Value acquired) {
        lock = acquired;
    }

    private void walk() {
        List<Block> blocks = shape.function().blocks();
        int[] marks = new int[blocks.size()];
        List<Block> stack = new ArrayList<>();
        boolean[] entered = new boolean[blocks.size()];
        stack.add(shape.function().entry());
        while (!stack.isEmpty()) {
            Block block = stack.getLast();
            int index = block.index();
            if (entered[index]) {
                registers.reset(marks[index]);
                stack.removeLast();
                continue;
            }
            entered[index] = true;
            marks[index] = registers.mark();
            lower(block);
            for (int child : dominators.children(index)) {
                stack.add(blocks.get(child));
            }
        }
    }

    private void lower(Block block) {
        current = block;
        code.block(block);
        List<Integer> variables = phiVariables.get(block.index());
        int words = 0;
        for (int variable : variables) {
            for (int i = 0; i < registers.width(variable); i++) {
                Value result =
                        registers.isPredicate(variable)
                                ? code.function().predicate()
                                : code.function().word();
                block.addPhi(IrInstruction.of(Pseudo.PHI).define(result));
                registers.set(variable + i, result);
                words++;
            }
        }
        if (phiOperands[block.index()] == null) {
            reservePhis(words, block);
            phiOperands[block.index()] = new IrOperand[words][block.predecessors().size()];
        }
        integers.start();
        if (block == shape.function().entry()) {
            calls.receiveParameters();
        }
        countedInstructions = block.instructions().size();
        countedValues = code.function().values();
        Shape.Range range = shape.range(block);
        for (int i = range.from(); i < range.to(); i++) {
            lower(i);
            retainStores(code.block());
        }
        // A slow path has replaced the end of the block.
        Block last = code.block();
        end(last, range.condition());
        if (last.terminator() instanceof Terminator.Return) {
            calls.returnResults();
        }
        for (Block to : last.successors()) {
            fillPhis(block, to);
        }
    }

    /// Counts the memory for the block's instructions without results, of which an instruction of
    /// the source may need many.
    private void retainStores(Block block) {
        int instructions = block.instructions().size();
        int values = code.function().values();
        long stores = instructions - countedInstructions - (values - countedValues);
        if (stores > MANY_STORES) {
            code.function().retain(stores * Function.BYTES_OF_VALUE);
        }
        countedInstructions = instructions;
        countedValues = values;
    }

    /// Counts the memory for the operands of a block's phis, whose number is not proportional to
    /// that of values.
    private void reservePhis(int words, Block block) {
        code.function().retain((long) words * block.predecessors().size() * BYTES_OF_PHI_OPERAND);
    }

    private void end(Block block, Shape.Condition condition) {
        if (!(block.terminator() instanceof Terminator.Branch branch)) {
            return;
        }
        IrOperand predicate =
                switch (condition) {
                    case Shape.Condition.Flag(PtxRegister register, boolean _) ->
                            registers.get(registers.variable(register));
                    case Shape.Condition.Below(PtxOperand index, int bound) ->
                            code.compare(Comparison.LT, word(index), Code.literal(bound), false);
                    case Shape.Condition.Unlocked _ -> lock;
                };
        block.terminator(branch.withValue(code.truth(predicate, false)));
    }

    private void fillPhis(Block from, Block to) {
        List<Integer> variables = phiVariables.get(to.index());
        int position = positions[from.index()];
        int at = 0;
        for (int variable : variables) {
            int width = registers.width(variable);
            if (phiOperands[to.index()] == null) {
                int words = 0;
                for (int each : variables) {
                    words += registers.width(each);
                }
                reservePhis(words, to);
                phiOperands[to.index()] = new IrOperand[words][to.predecessors().size()];
            }
            for (int i = 0; i < width; i++) {
                IrOperand operand = registers.get(variable + i);
                boolean isMoved =
                        operand instanceof IrOperand.Constant
                                || operand instanceof IrOperand.Address;
                phiOperands[to.index()][at++][position] = isMoved ? code.value(operand) : operand;
            }
        }
    }

    private void finishPhis() {
        for (Block block : shape.function().blocks()) {
            // Blocks that continue another one have complete phis.
            boolean isOriginal = block.index() < phiOperands.length;
            for (int i = 0; isOriginal && i < block.phis().size(); i++) {
                IrInstruction phi = block.phis().get(i);
                for (IrOperand operand : phiOperands[block.index()][i]) {
                    phi.use(Slot.PART, operand);
                }
            }
        }
    }

    private void lower(int index) {
        PtxInstruction instruction = source.code().get(index);
        now = instruction;
        code.line(instruction.line() == null ? 0 : index + 1);
        boolean guarded = instruction.guard() != null && !shape.isSeparate(instruction);
        guard = guarded ? registers.get(registers.variable(instruction.guard().register())) : null;
        guardInverted = guarded && instruction.guard().negated();
        if (guard instanceof IrOperand.Literal(int truth)) {
            if (truth != 0 == guardInverted) {
                return;
            }
            guard = null;
        }
        code.guard((Value) guard, guardInverted);
        switch (instruction.opcode()) {
            case ADD, SUB, MUL, MAD, FMA, NEG, ABS, MIN, MAX, DIV, SQRT, RCP, RSQRT ->
                    arithmetic(instruction);
            case SET, SETP, SLCT, TESTP, COPYSIGN, EX2, LG2, SIN, COS -> {
                PtxType type = instruction.operation().sourceType();
                if (type == PtxType.F64) {
                    doubles.lower(instruction);
                } else if (type == PtxType.F16 || type == PtxType.F16X2) {
                    halves.compare(instruction);
                } else if (type.isFloat()) {
                    floats.lower(instruction);
                } else {
                    integers.lower(instruction);
                }
            }
            case ADDC, SUBC, MADC, MUL24, MAD24, REM, SAD, AND, OR, XOR, NOT, CNOT, LOP3, SHF ->
                    integers.lower(instruction);
            case SHL, SHR, BFE, BFI, BFIND, BREV, CLZ, POPC, PRMT, SELP, MOV ->
                    integers.lower(instruction);
            case CVT -> {
                if (instruction.operation().type() == PtxType.F16X2) {
                    halves.convert(instruction);
                } else {
                    conversions.lower(instruction);
                }
            }
            case LD, LDU, ST, ATOM, RED, CVTA, ISSPACEP, PREFETCH, PREFETCHU ->
                    memory.lower(instruction);
            case CALL -> calls.lower((PtxOperand.Call) instruction.sources().getFirst());
            case BAR, BARRIER, MEMBAR, FENCE, VOTE, ACTIVEMASK, TRAP, BRKPT, PMEVENT, SHFL ->
                    warps.lower(instruction);
            case VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VMAD, VSET ->
                    videos.lower(instruction);
            // A sleep may end at once.
            case BRA, BRX, RET, EXIT, NANOSLEEP -> {}
            case TEX, TLD4, TXQ -> textures.lower(instruction);
            case SULD, SUST, SURED, SUQ -> throw unsupported();
        }
        code.guard(null, false);
    }

    private void arithmetic(PtxInstruction instruction) {
        PtxType type = instruction.operation().type();
        if (type == PtxType.F64) {
            doubles.lower(instruction);
        } else if (type == PtxType.F16 || type == PtxType.F16X2) {
            halves.lower(instruction);
        } else if (type.isFloat()) {
            floats.lower(instruction);
        } else {
            integers.lower(instruction);
        }
    }

    /// Returns the error for an instruction that this compiler does not implement.
    LoweringException unsupported() {
        return refusal(now.operation().text() + " is not supported by this compiler");
    }

    /// Returns an error of the current instruction.
    LoweringException refusal(String message) {
        return new LoweringException(now.position(), message);
    }

    // Operands.

    /// Returns an operand of at most 32 bits, or the lower word of a wider one.
    IrOperand word(PtxOperand operand) {
        return switch (operand) {
            case PtxOperand.Register(PtxRegister register) ->
                    registers.get(registers.variable(register));
            case PtxOperand.Immediate(long bits, PtxType _) -> Code.literal((int) bits);
            case PtxOperand.Special(PtxSpecialRegister register) -> special(register).low();
            case PtxOperand.Address _ -> wide(operand).low();
            default -> throw new IllegalStateException("operand=" + operand);
        };
    }

    /// Returns an operand of 64 bits; a narrower register is extended with zeros.
    Wide wide(PtxOperand operand) {
        return switch (operand) {
            case PtxOperand.Register(PtxRegister register) -> {
                int variable = registers.variable(register);
                yield new Wide(
                        registers.get(variable),
                        registers.width(variable) == 2
                                ? registers.get(variable + 1)
                                : IrOperand.Literal.ZERO);
            }
            case PtxOperand.Immediate(long bits, PtxType _) -> Wide.of(bits);
            case PtxOperand.Image(PtxOperand handle) -> wide(handle);
            case PtxOperand.Special(PtxSpecialRegister register) -> special(register);
            case PtxOperand.Address(var symbol, long offset) ->
                    switch (symbol) {
                        case PtxVariable variable
                                when variable.type().kind() == PtxType.Kind.OPAQUE ->
                                TextureLowering.handle(this, variable);
                        case PtxVariable variable -> address(variable, offset);
                        case PtxFunctionHeader _ ->
                                new Wide(
                                        new IrOperand.Address(
                                                addresses.name(symbol), offset, false),
                                        IrOperand.Literal.ZERO);
                    };
            default -> throw new IllegalStateException("operand=" + operand);
        };
    }

    /// Returns an operand's predicate; [#inverted(PtxOperand)] tells its sense.
    IrOperand predicate(PtxOperand operand) {
        return switch (operand) {
            case PtxOperand.Not(PtxRegister register) ->
                    registers.get(registers.variable(register));
            default -> word(operand);
        };
    }

    static boolean inverted(PtxOperand operand) {
        return operand instanceof PtxOperand.Not;
    }

    /// Returns the address of a variable in its own space.
    Wide address(PtxVariable variable, long offset) {
        return switch (variable.space()) {
            case GLOBAL -> {
                String name = addresses.name(variable);
                yield new Wide(
                        new IrOperand.Address(name, offset, false),
                        new IrOperand.Address(name, offset, true));
            }
            case CONST, SHARED ->
                    new Wide(
                            Code.literal((int) (addresses.offset(variable) + offset)),
                            IrOperand.Literal.ZERO);
            case LOCAL, PARAM, GENERIC -> {
                if (variable.role() == PtxVariable.Role.KERNEL_PARAMETER) {
                    yield new Wide(
                            Code.literal((int) (addresses.offset(variable) + offset)),
                            IrOperand.Literal.ZERO);
                }
                IrOperand at = Code.literal((int) (addresses.offset(variable) + offset));
                yield new Wide(code.sum(addresses.localBase(), at), IrOperand.Literal.ZERO);
            }
        };
    }

    private Wide special(PtxSpecialRegister register) {
        return switch (register) {
            case NTID_X -> constant(DriverBank.BLOCK);
            case NTID_Y -> constant(DriverBank.BLOCK + Integer.BYTES);
            case NTID_Z -> constant(DriverBank.BLOCK + 2 * Integer.BYTES);
            case NCTAID_X -> constant(DriverBank.GRID);
            case NCTAID_Y -> constant(DriverBank.GRID + Integer.BYTES);
            case NCTAID_Z -> constant(DriverBank.GRID + 2 * Integer.BYTES);
            case TID_X -> read(SpecialRegister.TID_X);
            case TID_Y -> read(SpecialRegister.TID_Y);
            case TID_Z -> read(SpecialRegister.TID_Z);
            case CTAID_X -> read(SpecialRegister.CTAID_X);
            case CTAID_Y -> read(SpecialRegister.CTAID_Y);
            case CTAID_Z -> read(SpecialRegister.CTAID_Z);
            case LANEID -> read(SpecialRegister.LANEID);
            case WARPID -> bits(SpecialRegister.VIRTID, WARP_BIT, WARP_BITS);
            case NWARPID -> bits(SpecialRegister.VIRTCFG, WARP_BIT, WARP_COUNT_BITS);
            case SMID -> bits(SpecialRegister.VIRTID, SM_BIT, SM_BITS);
            case NSMID -> bits(SpecialRegister.VIRTCFG, SM_BIT, SM_BITS);
            case GRIDID -> read(SpecialRegister.GRIDID);
            case LANEMASK_EQ -> read(SpecialRegister.EQMASK);
            case LANEMASK_LE -> read(SpecialRegister.LEMASK);
            case LANEMASK_LT -> read(SpecialRegister.LTMASK);
            case LANEMASK_GE -> read(SpecialRegister.GEMASK);
            case LANEMASK_GT -> read(SpecialRegister.GTMASK);
            case CLOCK -> read(SpecialRegister.CLOCKLO);
            case CLOCK_HI -> read(SpecialRegister.CLOCKHI);
            case CLOCK64 -> clock();
            case PM0 -> read(SpecialRegister.PM0);
            case PM1 -> read(SpecialRegister.PM1);
            case PM2 -> read(SpecialRegister.PM2);
            case PM3 -> read(SpecialRegister.PM3);
            case PM4 -> read(SpecialRegister.PM4);
            case PM5 -> read(SpecialRegister.PM5);
            case PM6 -> read(SpecialRegister.PM6);
            case PM7 -> read(SpecialRegister.PM7);
            case TOTAL_SMEM_SIZE -> read(SpecialRegister.SMEMSZ);
            case DYNAMIC_SMEM_SIZE -> dynamicShared();
            case ZERO -> Wide.ZERO;
        };
    }

    private Wide dynamicShared() {
        int bytes = addresses.sharedBytes();
        if (bytes < 0) {
            throw new LoweringException(
                    now.position(),
                    "%dynamic_smem_size: expected a kernel; a function has no shared memory");
        }
        IrOperand all = code.special(SpecialRegister.SMEMSZ);
        return new Wide(code.difference(all, Code.literal(bytes)), IrOperand.Literal.ZERO);
    }

    /// Returns the clock; the upper word is read again if the lower word has wrapped around.
    private Wide clock() {
        Value high = code.special(SpecialRegister.CLOCKHI);
        Value low = code.special(SpecialRegister.CLOCKLO);
        Value after = code.special(SpecialRegister.CLOCKHI);
        Value again = code.special(SpecialRegister.CLOCKLO);
        Value same = code.compare(Comparison.EQ, high, after, false);
        return new Wide(code.select(same, low, again), after);
    }

    private static Wide constant(int offset) {
        return new Wide(
                new IrOperand.Constant(ConstantSection.DRIVER, offset), IrOperand.Literal.ZERO);
    }

    private Wide read(SpecialRegister register) {
        return new Wide(code.special(register), IrOperand.Literal.ZERO);
    }

    private Wide bits(SpecialRegister register, int first, int length) {
        return new Wide(
                code.field(code.special(register), first, length, false), IrOperand.Literal.ZERO);
    }

    // Results.

    /// Returns the operands that a result register has before the instruction, for threads that a
    /// guard excludes; null without a guard or if the register is undefined.
    IrOperand former(PtxOperand result, int word) {
        return guard == null || !(result instanceof PtxOperand.Register(PtxRegister register))
                ? null
                : registers.known(registers.variable(register) + word);
    }

    /// Assigns a result of at most 32 bits. A wider register receives zeros above.
    void set(PtxOperand result, IrOperand operand) {
        if (result instanceof PtxOperand.Register(PtxRegister register)) {
            int variable = registers.variable(register);
            assign(variable, operand);
            if (registers.width(variable) == 2) {
                assign(variable + 1, IrOperand.Literal.ZERO);
            }
        }
    }

    /// Assigns a result of 64 bits; a narrower register receives the lower word.
    void set(PtxOperand result, Wide wide) {
        if (result instanceof PtxOperand.Register(PtxRegister register)) {
            int variable = registers.variable(register);
            assign(variable, wide.low());
            if (registers.width(variable) == 2) {
                assign(variable + 1, wide.high());
            }
        }
    }

    /// Assigns a result without regard to the guard, which the instruction that computed it has.
    void setGuarded(PtxOperand result, Wide wide) {
        IrOperand saved = guard;
        guard = null;
        set(result, wide);
        guard = saved;
    }

    void assign(int variable, IrOperand operand) {
        IrOperand former = registers.known(variable);
        if (guard == null || former == null) {
            registers.set(variable, operand);
        } else if (registers.isPredicate(variable)) {
            registers.set(variable, choosePredicate(operand, former));
        } else {
            registers.set(variable, code.select(guard, guardInverted, operand, former));
        }
    }

    /// Returns one predicate or another: `(guard and a) or (not guard and b)`.
    private IrOperand choosePredicate(IrOperand a, IrOperand b) {
        Value first = both(guard, guardInverted, a);
        IrInstruction second =
                Code.make(Opcode.PSETP, Modifiers.NONE.with(Field.LOGIC, LogicOp.OR))
                        .use(Slot.PA, guard, !guardInverted)
                        .use(Slot.PB, b)
                        .use(Slot.P, first);
        return code.predicate(second);
    }

    private Value both(IrOperand a, boolean inverted, IrOperand b) {
        return code.predicate(Code.make(Opcode.PSETP).use(Slot.PA, a, inverted).use(Slot.PB, b));
    }

    /// Returns the guard, or null.
    IrOperand guard() {
        return guard;
    }

    boolean guardInverted() {
        return guardInverted;
    }

    /// Returns the width of a register in bits, or of the type for another operand.
    static int widthOf(PtxOperand operand, PtxType type) {
        return operand instanceof PtxOperand.Register(PtxRegister register)
                ? Math.max(register.type().bits(), 1)
                : Math.max(type.bits(), WORD_BITS);
    }
}
