package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.PermuteMode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Lowers operations on integers, bits and predicates.
final class IntegerLowering {
    private static final int HALF = Short.SIZE;
    private static final int FACTOR_BITS = 24;

    /// Field of BFI that places a length above a position: position 8, length 8.
    private static final int LENGTH_FIELD = Byte.SIZE | Byte.SIZE << Byte.SIZE;

    private final FunctionLowering lowering;
    private final Code code;
    private final Division division;

    /// Carry that the last instruction `.cc` of the block has set; null if there is none.
    private Value carry;

    /// Flag of a carry that is the complement of a borrow.
    private boolean isBorrow;

    /// Number of the block's instructions when the carry was set.
    private int carrySize;

    IntegerLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
        this.division = new Division(code);
    }

    /// Starts a block, in which no carry is set.
    void start() {
        carry = null;
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        switch (instruction.opcode()) {
            case SETP -> setPredicate(instruction);
            case SET -> set(instruction);
            case MOV -> move(instruction);
            case SELP -> selectByPredicate(instruction);
            case AND, OR, XOR, NOT, CNOT -> logic(instruction);
            default -> {
                boolean isWide = operation.type().bytes() == Long.BYTES;
                List<PtxOperand> sources = instruction.sources();
                PtxOperand result = instruction.results().getFirst();
                if (isCarried(instruction)) {
                    carried(instruction);
                } else if (isWide) {
                    lowering.set(result, wide(instruction, sources));
                } else if (isDouble(operation)) {
                    lowering.set(result, doubled(instruction, sources));
                } else {
                    lowering.set(result, word(instruction, sources));
                }
            }
        }
    }

    private static boolean isCarried(PtxInstruction instruction) {
        return PhiPlacement.readsCarry(instruction) || PhiPlacement.writesCarry(instruction);
    }

    private static boolean isDouble(PtxOperation operation) {
        return operation.has(PtxModifier.WIDE) && operation.type().bytes() == Integer.BYTES;
    }

    // Operations of at most 32 bits.

    /// Returns a source, extended to 32 bits.
    private IrOperand source(PtxOperand operand, PtxType type) {
        return code.extend(lowering.word(operand), type.bits(), type.isSigned());
    }

    private IrOperand word(PtxInstruction instruction, List<PtxOperand> sources) {
        PtxOperation operation = instruction.operation();
        PtxType type = operation.type();
        boolean signed = type.isSigned();
        IrOperand a = lowering.word(sources.getFirst());
        IrOperand b = sources.size() > 1 ? lowering.word(sources.get(1)) : null;
        IrOperand c = sources.size() > 2 ? lowering.word(sources.get(2)) : null;
        return switch (instruction.opcode()) {
            case ADD ->
                    operation.has(PtxModifier.SAT) ? code.saturated(a, b, false) : code.sum(a, b);
            case SUB ->
                    operation.has(PtxModifier.SAT)
                            ? code.saturated(a, b, true)
                            : code.difference(a, b);
            case MUL -> product(operation, sources);
            case MAD -> productSum(operation, sources, c);
            case MUL24 -> product24(operation, a, b);
            case MAD24 -> sum24(operation, product24(operation, a, b), c);
            case DIV, REM ->
                    division.word(
                            source(sources.get(0), type),
                            source(sources.get(1), type),
                            signed,
                            instruction.opcode() == PtxOpcode.REM);
            case MIN, MAX ->
                    code.minimum(
                            source(sources.get(0), type),
                            source(sources.get(1), type),
                            signed,
                            instruction.opcode() == PtxOpcode.MAX);
            case SAD ->
                    code.word(
                            Code.make(Opcode.ISAD, Modifiers.NONE.with(Field.SIGNED, signed))
                                    .use(Slot.A, source(sources.get(0), type))
                                    .use(Slot.B, source(sources.get(1), type))
                                    .use(Slot.C, c));
            case NEG -> code.negated(a);
            case ABS -> {
                IrOperand number = source(sources.get(0), type);
                yield code.minimum(number, code.negated(number), true, true);
            }
            case SHL -> code.shiftLeft(a, count(sources.get(1), type));
            case SHR -> code.shiftRight(source(sources.get(0), type), b, signed);
            case BFE -> extract(a, b, c, signed);
            case BFI -> insert(a, b, c, lowering.word(sources.get(3)));
            case BFIND -> leading(a, signed, operation.has(PtxModifier.SHIFTAMT));
            case CLZ -> code.difference(Code.literal(Integer.SIZE - 1), leading(a, false, false));
            case POPC -> count(a);
            case BREV -> reverse(a);
            case PRMT -> permute(operation, a, b, c);
            case SLCT -> code.select(isNegative(instruction, sources.get(2)), b, a);
            case LOP3 -> lookUp(a, b, c, Code.bits(lowering.word(sources.get(3))));
            case SHF -> funnel(operation, a, b, c);
            default -> throw lowering.unsupported();
        };
    }

    /// Returns a shift count. Counts of 16 bits and more shift a half word out.
    private IrOperand count(PtxOperand operand, PtxType type) {
        IrOperand count = lowering.word(operand);
        return type.bytes() == Short.BYTES
                        && count instanceof IrOperand.Literal(int bits)
                        && Integer.compareUnsigned(bits, HALF) >= 0
                ? Code.literal(Integer.SIZE)
                : count;
    }

    private IrOperand product(PtxOperation operation, List<PtxOperand> sources) {
        PtxType type = operation.type();
        boolean signed = type.isSigned();
        if (type.bytes() == Short.BYTES) {
            if (operation.has(PtxModifier.LO)) {
                return code.product(
                        lowering.word(sources.get(0)), lowering.word(sources.get(1)), false, false);
            }
            IrOperand product =
                    code.product(
                            source(sources.get(0), type),
                            source(sources.get(1), type),
                            false,
                            false);
            return operation.has(PtxModifier.WIDE)
                    ? product
                    : code.shiftRight(product, Code.literal(HALF), signed);
        }
        return code.product(
                lowering.word(sources.get(0)),
                lowering.word(sources.get(1)),
                operation.has(PtxModifier.HI),
                signed);
    }

    private IrOperand productSum(PtxOperation operation, List<PtxOperand> sources, IrOperand c) {
        PtxType type = operation.type();
        if (type.bytes() == Short.BYTES) {
            return code.sum(product(operation, sources), c);
        }
        IrOperand a = lowering.word(sources.get(0));
        IrOperand b = lowering.word(sources.get(1));
        if (operation.has(PtxModifier.LO)) {
            return code.productSum(a, b, c);
        }
        if (operation.has(PtxModifier.SAT)) {
            return code.saturated(code.product(a, b, true, true), c, false);
        }
        return code.sum(code.product(a, b, true, type.isSigned()), c);
    }

    private IrOperand product24(PtxOperation operation, IrOperand a, IrOperand b) {
        boolean signed = operation.type().isSigned();
        IrOperand x = code.extend(a, FACTOR_BITS, signed);
        IrOperand y = code.extend(b, FACTOR_BITS, signed);
        IrOperand low = code.product(x, y, false, signed);
        if (operation.has(PtxModifier.LO)) {
            return low;
        }
        IrOperand high = code.product(x, y, true, signed);
        return code.or(
                code.shiftLeft(high, Code.literal(HALF)),
                code.shiftRight(low, Code.literal(HALF), false));
    }

    private IrOperand sum24(PtxOperation operation, IrOperand product, IrOperand c) {
        return operation.has(PtxModifier.SAT)
                ? code.saturated(product, c, false)
                : code.sum(product, c);
    }

    /// Returns the operand of BFE and BFI with a position and a length.
    private IrOperand fieldOf(IrOperand position, IrOperand length) {
        if (Code.isLiteral(position) && Code.isLiteral(length)) {
            return Code.literal(
                    Code.bits(position) & 0xff | (Code.bits(length) & 0xff) << Byte.SIZE);
        }
        return code.word(
                Code.make(Opcode.BFI)
                        .use(Slot.A, length)
                        .use(Slot.B, Code.literal(LENGTH_FIELD))
                        .use(Slot.C, position));
    }

    private IrOperand extract(IrOperand a, IrOperand position, IrOperand length, boolean signed) {
        return code.word(
                Code.make(Opcode.BFE, Modifiers.NONE.with(Field.SIGNED, signed))
                        .use(Slot.A, a)
                        .use(Slot.B, fieldOf(position, length)));
    }

    private IrOperand insert(IrOperand a, IrOperand b, IrOperand position, IrOperand length) {
        return code.word(
                Code.make(Opcode.BFI)
                        .use(Slot.A, a)
                        .use(Slot.B, fieldOf(position, length))
                        .use(Slot.C, b));
    }

    private IrOperand leading(IrOperand a, boolean signed, boolean fromTop) {
        return code.word(
                Code.make(
                                Opcode.FLO,
                                Modifiers.NONE
                                        .with(Field.SIGNED, signed)
                                        .with(Field.SHIFT_AMOUNT, fromTop))
                        .use(Slot.B, a));
    }

    private IrOperand count(IrOperand a) {
        return code.word(
                Code.make(Opcode.POPC, Modifiers.of(Field.INVERT_A, 1))
                        .use(Slot.A, IrOperand.Literal.ZERO)
                        .use(Slot.B, a));
    }

    private IrOperand reverse(IrOperand a) {
        return code.word(
                Code.make(Opcode.SHR, Modifiers.of(Field.REVERSE, 1))
                        .use(Slot.A, a)
                        .use(Slot.B, IrOperand.Literal.ZERO));
    }

    private IrOperand permute(PtxOperation operation, IrOperand a, IrOperand b, IrOperand c) {
        PermuteMode mode = PermuteMode.IDX;
        for (PermuteMode each : PermuteMode.values()) {
            if (each != PermuteMode.IDX && operation.has(PtxModifier.valueOf(each.name()))) {
                mode = each;
            }
        }
        return code.word(
                Code.make(Opcode.PRMT, Modifiers.NONE.with(Field.PERMUTE, mode))
                        .use(Slot.A, a)
                        .use(Slot.B, c)
                        .use(Slot.C, b));
    }

    /// Returns whether the selector of `slct` is negative; a float's minus zero is not.
    private Value isNegative(PtxInstruction instruction, PtxOperand operand) {
        IrOperand selector = lowering.word(operand);
        return code.compare(Comparison.LT, selector, IrOperand.Literal.ZERO, true);
    }

    /// Returns the bitwise function of three words with a table of eight bits.
    private IrOperand lookUp(IrOperand a, IrOperand b, IrOperand c, int table) {
        IrOperand result = IrOperand.Literal.ZERO;
        IrOperand[] words = {a, b, c};
        int ones = Integer.bitCount(table & 0xff);
        boolean inverted = ones > 4;
        int terms = inverted ? ~table & 0xff : table & 0xff;
        for (int i = 0; i < 8; i++) {
            if ((terms >> i & 1) == 0) {
                continue;
            }
            IrOperand term = null;
            for (int k = 0; k < 3; k++) {
                IrOperand word = (i >> 2 - k & 1) != 0 ? words[k] : code.not(words[k]);
                term = term == null ? word : code.and(term, word);
            }
            result = code.or(result, term);
        }
        return inverted ? code.not(result) : result;
    }

    private IrOperand funnel(PtxOperation operation, IrOperand a, IrOperand b, IrOperand c) {
        IrOperand count =
                operation.has(PtxModifier.WRAP)
                        ? code.and(c, Code.literal(Integer.SIZE - 1))
                        : code.minimum(c, Code.literal(Integer.SIZE), false, false);
        IrOperand rest = code.difference(Code.literal(Integer.SIZE), count);
        return operation.has(PtxModifier.L)
                ? code.or(code.shiftLeft(b, count), code.shiftRight(a, rest, false))
                : code.or(code.shiftRight(a, count, false), code.shiftLeft(b, rest));
    }

    // Results of 64 bits from words.

    private Wide doubled(PtxInstruction instruction, List<PtxOperand> sources) {
        boolean signed = instruction.operation().type().isSigned();
        IrOperand a = lowering.word(sources.get(0));
        IrOperand b = lowering.word(sources.get(1));
        if (instruction.opcode() == PtxOpcode.MUL) {
            return code.productWide(a, b, signed);
        }
        Wide c = lowering.wide(sources.get(2));
        if (Code.isLiteral(a) && Code.isLiteral(b)) {
            return code.sum(code.productWide(a, b, signed), c);
        }
        Value between = code.function().carry();
        Value low = code.carried(Code.productSum(a, b, c.low(), false, signed), null, between);
        Value high = code.carried(Code.productSum(a, b, c.high(), true, signed), between, null);
        return new Wide(low, high);
    }

    // Operations of 64 bits.

    private Wide wide(PtxInstruction instruction, List<PtxOperand> sources) {
        PtxOperation operation = instruction.operation();
        boolean signed = operation.type().isSigned();
        Wide a = lowering.wide(sources.get(0));
        return switch (instruction.opcode()) {
            case ADD -> code.sum(a, lowering.wide(sources.get(1)));
            case SUB -> code.difference(a, lowering.wide(sources.get(1)));
            case MUL -> product(operation, a, lowering.wide(sources.get(1)));
            case MAD ->
                    code.sum(
                            product(operation, a, lowering.wide(sources.get(1))),
                            lowering.wide(sources.get(2)));
            case DIV, REM ->
                    division.wide(
                            a,
                            lowering.wide(sources.get(1)),
                            signed,
                            instruction.opcode() == PtxOpcode.REM);
            case MIN, MAX ->
                    code.minimum(
                            a,
                            lowering.wide(sources.get(1)),
                            signed,
                            instruction.opcode() == PtxOpcode.MAX);
            case SAD -> {
                Wide b = lowering.wide(sources.get(1));
                Value isLess = code.compare(Comparison.LT, a, b, signed);
                Wide distance = code.select(isLess, code.difference(b, a), code.difference(a, b));
                yield code.sum(distance, lowering.wide(sources.get(2)));
            }
            case NEG -> code.negated(a);
            case ABS -> {
                Value isNegative =
                        code.compare(Comparison.LT, a.high(), IrOperand.Literal.ZERO, true);
                yield code.select(isNegative, code.negated(a), a);
            }
            case SHL -> code.shiftLeft(a, lowering.word(sources.get(1)));
            case SHR -> code.shiftRight(a, lowering.word(sources.get(1)), signed);
            case BFE ->
                    extract(
                            a,
                            lowering.word(sources.get(1)),
                            lowering.word(sources.get(2)),
                            signed);
            case BFI ->
                    insert(
                            a,
                            lowering.wide(sources.get(1)),
                            lowering.word(sources.get(2)),
                            lowering.word(sources.get(3)));
            case BFIND -> zeroExtended(leading(a, signed, operation.has(PtxModifier.SHIFTAMT)));
            case CLZ ->
                    zeroExtended(
                            code.difference(Code.literal(Long.SIZE - 1), leading(a, false, false)));
            case POPC -> zeroExtended(code.sum(count(a.low()), count(a.high())));
            case BREV -> new Wide(reverse(a.high()), reverse(a.low()));
            case SLCT ->
                    code.select(
                            isNegative(instruction, sources.get(2)),
                            lowering.wide(sources.get(1)),
                            a);
            default -> throw lowering.unsupported();
        };
    }

    private static Wide zeroExtended(IrOperand word) {
        return new Wide(word, IrOperand.Literal.ZERO);
    }

    private Wide product(PtxOperation operation, Wide a, Wide b) {
        return operation.has(PtxModifier.HI)
                ? code.productHigh(a, b, operation.type().isSigned())
                : code.productLow(a, b);
    }

    private Wide extract(Wide a, IrOperand position, IrOperand length, boolean signed) {
        IrOperand first = code.and(position, Code.literal(0xff));
        IrOperand count =
                code.minimum(
                        code.and(length, Code.literal(0xff)),
                        Code.literal(Long.SIZE),
                        false,
                        false);
        IrOperand unused = code.difference(Code.literal(Long.SIZE), count);
        Wide moved = code.shiftLeft(code.shiftRight(a, first, signed), unused);
        return code.shiftRight(moved, unused, signed);
    }

    private Wide insert(Wide a, Wide b, IrOperand position, IrOperand length) {
        IrOperand first = code.and(position, Code.literal(0xff));
        IrOperand count = code.and(length, Code.literal(0xff));
        Wide ones = code.difference(code.shiftLeft(Wide.of(1), count), Wide.of(1));
        Wide mask = code.shiftLeft(ones, first);
        Wide moved = code.shiftLeft(a, first);
        return new Wide(
                merge(moved.low(), b.low(), mask.low()),
                merge(moved.high(), b.high(), mask.high()));
    }

    private IrOperand merge(IrOperand a, IrOperand b, IrOperand mask) {
        return code.or(code.and(a, mask), code.and(b, code.not(mask)));
    }

    private IrOperand leading(Wide a, boolean signed, boolean fromTop) {
        IrOperand low = a.low();
        IrOperand high = a.high();
        if (signed) {
            IrOperand sign = code.signOf(high, true);
            low = code.exclusiveOr(low, sign);
            high = code.exclusiveOr(high, sign);
        }
        IrOperand inLow = leading(low, false, false);
        IrOperand inHigh = code.sum(leading(high, false, false), Code.literal(Integer.SIZE));
        Value isLow = code.compare(Comparison.EQ, high, IrOperand.Literal.ZERO, false);
        IrOperand found = code.select(isLow, inLow, inHigh);
        if (!fromTop) {
            return found;
        }
        Value isNone = code.compare(Comparison.EQ, found, Code.literal(-1), false);
        IrOperand count = code.difference(Code.literal(Long.SIZE - 1), found);
        return code.select(isNone, found, count);
    }

    // Carry chains.

    private void carried(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        boolean subtract =
                switch (instruction.opcode()) {
                    case SUB, SUBC -> true;
                    default -> false;
                };
        Value in = PhiPlacement.readsCarry(instruction) ? carryIn(subtract) : null;
        boolean sets = PhiPlacement.writesCarry(instruction);
        Value out = sets ? code.function().carry() : null;
        PtxOperand result = instruction.results().getFirst();
        if (operation.type().bytes() == Long.BYTES) {
            Wide a = lowering.wide(sources.get(0));
            Wide b = lowering.wide(sources.get(1));
            if (isProduct(instruction)) {
                a = product(operation, a, b);
                b = lowering.wide(sources.get(2));
                in = in == null ? null : carryIn(false);
            }
            Value between = code.function().carry();
            Value low = code.carried(a.low(), b.low(), subtract, in, between);
            Value high = code.carried(a.high(), b.high(), subtract, between, out);
            finishCarry(out, subtract);
            lowering.set(result, new Wide(low, high));
            return;
        }
        Value value;
        if (isProduct(instruction)) {
            IrInstruction sum =
                    Code.productSum(
                            code.value(lowering.word(sources.get(0))),
                            lowering.word(sources.get(1)),
                            lowering.word(sources.get(2)),
                            operation.has(PtxModifier.HI),
                            operation.type().isSigned());
            value = code.carried(sum, in, out);
        } else {
            value =
                    code.carried(
                            lowering.word(sources.get(0)),
                            lowering.word(sources.get(1)),
                            subtract,
                            in,
                            out);
        }
        finishCarry(out, subtract);
        lowering.set(result, value);
    }

    private static boolean isProduct(PtxInstruction instruction) {
        return switch (instruction.opcode()) {
            case MAD, MADC -> true;
            default -> false;
        };
    }

    /// Records the carry that an instruction has set, also in a register, for instructions that do
    /// not follow immediately.
    private void finishCarry(Value out, boolean subtract) {
        if (out == null) {
            return;
        }
        Value flag = code.carried(IrOperand.Literal.ZERO, IrOperand.Literal.ZERO, false, out, null);
        IrOperand saved = subtract ? code.difference(Code.literal(1), flag) : flag;
        lowering.assign(lowering.registers().carry(), saved);
        boolean isCertain = lowering.guard() == null;
        carry = isCertain ? out : null;
        isBorrow = subtract;
        carrySize = code.block().instructions().size();
    }

    /// Returns the carry for an instruction: as a borrow's complement for a difference.
    private Value carryIn(boolean subtract) {
        if (carry != null && isBorrow == subtract && !isOverwritten()) {
            return carry;
        }
        IrOperand flag = lowering.registers().get(lowering.registers().carry());
        Value restored = code.function().carry();
        if (subtract) {
            code.carried(IrOperand.Literal.ZERO, code.value(flag), true, null, restored);
        } else {
            code.carried(code.value(flag), Code.literal(-1), false, null, restored);
        }
        return restored;
    }

    private boolean isOverwritten() {
        List<IrInstruction> instructions = code.block().instructions();
        for (int i = carrySize; i < instructions.size(); i++) {
            IrInstruction instruction = instructions.get(i);
            // A called function may have sums with carries.
            if (instruction.callee() != null || instruction.result(Value.Kind.CARRY) != null) {
                return true;
            }
        }
        return false;
    }

    // Predicates, logic and moves.

    private void setPredicate(PtxInstruction instruction) {
        IrInstruction comparison = comparison(instruction);
        finishComparison(instruction, comparison);
    }

    /// Adds a comparison that sets predicates, with its combination with another predicate.
    void finishComparison(PtxInstruction instruction, IrInstruction comparison) {
        combine(instruction, comparison);
        Value first = code.function().predicate();
        comparison.define(first);
        List<PtxOperand> results = instruction.results();
        Value second = results.size() > 1 ? code.function().predicate() : null;
        if (second != null) {
            comparison.define(second);
        }
        code.add(comparison);
        lowering.set(results.getFirst(), first);
        if (second != null) {
            lowering.set(results.get(1), second);
        }
    }

    /// Adds the predicate with which a comparison is combined.
    void combine(PtxInstruction instruction, IrInstruction comparison) {
        if (instruction.sources().size() < 3) {
            return;
        }
        PtxModifier combination = instruction.operation().in(PtxModifier.COMBINATIONS);
        PtxOperand predicate = instruction.sources().get(2);
        comparison.modifiers(
                comparison.modifiers().with(Field.LOGIC, LogicOp.valueOf(combination.name())));
        comparison.use(Slot.P, lowering.predicate(predicate), FunctionLowering.inverted(predicate));
    }

    private IrInstruction comparison(PtxInstruction instruction) {
        PtxType type = instruction.operation().sourceType();
        Comparison comparison = comparisonOf(instruction.operation());
        List<PtxOperand> sources = instruction.sources();
        if (type.bytes() == Long.BYTES) {
            return code.comparison(
                    comparison,
                    lowering.wide(sources.get(0)),
                    lowering.wide(sources.get(1)),
                    type.isSigned());
        }
        return Code.comparison(
                comparison,
                source(sources.get(0), type),
                source(sources.get(1), type),
                type.isSigned());
    }

    static Comparison comparisonOf(PtxOperation operation) {
        return Comparison.valueOf(operation.comparison().name());
    }

    private void set(PtxInstruction instruction) {
        finishSet(instruction, comparison(instruction));
    }

    /// Adds a comparison whose result is a word: all ones, or 1.0 for a float.
    void finishSet(PtxInstruction instruction, IrInstruction comparison) {
        combine(instruction, comparison);
        Value predicate = code.predicate(comparison);
        boolean isFloat = instruction.operation().type().isFloat();
        IrOperand yes = Code.literal(isFloat ? Float.floatToIntBits(1) : -1);
        lowering.set(
                instruction.results().getFirst(),
                code.select(predicate, yes, IrOperand.Literal.ZERO));
    }

    private void selectByPredicate(PtxInstruction instruction) {
        List<PtxOperand> sources = instruction.sources();
        IrOperand predicate = lowering.predicate(sources.get(2));
        boolean inverted = FunctionLowering.inverted(sources.get(2));
        PtxOperand result = instruction.results().getFirst();
        if (instruction.operation().type().bytes() == Long.BYTES) {
            lowering.set(
                    result,
                    code.select(
                            predicate,
                            inverted,
                            lowering.wide(sources.get(0)),
                            lowering.wide(sources.get(1))));
        } else {
            lowering.set(
                    result,
                    code.select(
                            predicate,
                            inverted,
                            lowering.word(sources.get(0)),
                            lowering.word(sources.get(1))));
        }
    }

    private void logic(PtxInstruction instruction) {
        PtxType type = instruction.operation().type();
        List<PtxOperand> sources = instruction.sources();
        PtxOperand result = instruction.results().getFirst();
        if (type == PtxType.PRED) {
            lowering.set(result, predicateLogic(instruction));
        } else if (type.bytes() == Long.BYTES) {
            Wide a = lowering.wide(sources.get(0));
            Wide b = sources.size() > 1 ? lowering.wide(sources.get(1)) : Wide.ZERO;
            if (instruction.opcode() == PtxOpcode.CNOT) {
                IrOperand any = code.or(a.low(), a.high());
                lowering.set(result, zeroExtended(isZero(any)));
            } else {
                lowering.set(
                        result,
                        new Wide(
                                logic(instruction.opcode(), a.low(), b.low()),
                                logic(instruction.opcode(), a.high(), b.high())));
            }
        } else if (instruction.opcode() == PtxOpcode.CNOT) {
            lowering.set(
                    result, isZero(code.extend(lowering.word(sources.get(0)), type.bits(), false)));
        } else {
            IrOperand b = sources.size() > 1 ? lowering.word(sources.get(1)) : null;
            lowering.set(result, logic(instruction.opcode(), lowering.word(sources.get(0)), b));
        }
    }

    private IrOperand isZero(IrOperand word) {
        Value zero = code.compare(Comparison.EQ, word, IrOperand.Literal.ZERO, false);
        return code.select(zero, Code.literal(1), IrOperand.Literal.ZERO);
    }

    private IrOperand logic(PtxOpcode opcode, IrOperand a, IrOperand b) {
        return switch (opcode) {
            case AND -> code.and(a, b);
            case OR -> code.or(a, b);
            case XOR -> code.exclusiveOr(a, b);
            default -> code.not(a);
        };
    }

    private IrOperand predicateLogic(PtxInstruction instruction) {
        List<PtxOperand> sources = instruction.sources();
        LogicOp op =
                switch (instruction.opcode()) {
                    case OR -> LogicOp.OR;
                    case XOR -> LogicOp.XOR;
                    default -> LogicOp.AND;
                };
        PtxOperand a = sources.getFirst();
        boolean not = instruction.opcode() == PtxOpcode.NOT;
        IrInstruction logic =
                Code.make(Opcode.PSETP, Modifiers.NONE.with(Field.LOGIC_INNER, op))
                        .use(Slot.PA, lowering.predicate(a), FunctionLowering.inverted(a) ^ not);
        if (sources.size() > 1) {
            PtxOperand b = sources.get(1);
            logic.use(Slot.PB, lowering.predicate(b), FunctionLowering.inverted(b));
        }
        return code.predicate(logic);
    }

    private void move(PtxInstruction instruction) {
        List<PtxOperand> sources = instruction.sources();
        List<PtxOperand> results = instruction.results();
        PtxType type = instruction.operation().type();
        if (sources.size() > 1 && sources.size() == results.size()) {
            moveAll(results, type, sources);
        } else if (sources.size() > 1) {
            pack(results.getFirst(), type, sources);
        } else if (results.size() > 1) {
            unpack(results, type, sources.getFirst());
        } else if (type == PtxType.PRED) {
            PtxOperand source = sources.getFirst();
            IrOperand predicate = lowering.predicate(source);
            lowering.set(
                    results.getFirst(),
                    FunctionLowering.inverted(source) ? code.truth(predicate, true) : predicate);
        } else if (type.bytes() == Long.BYTES) {
            lowering.set(results.getFirst(), lowering.wide(sources.getFirst()));
        } else {
            lowering.set(results.getFirst(), lowering.word(sources.getFirst()));
        }
    }

    /// Moves the elements of a vector; all are read before the first is written.
    private void moveAll(List<PtxOperand> results, PtxType type, List<PtxOperand> sources) {
        boolean isWide = type.bytes() == Long.BYTES;
        List<Wide> values =
                sources.stream()
                        .map(source ->
                                isWide
                                        ? lowering.wide(source)
                                        : new Wide(lowering.word(source), IrOperand.Literal.ZERO))
                        .toList();
        for (int i = 0; i < values.size(); i++) {
            lowering.set(results.get(i), values.get(i));
        }
    }

    private void pack(PtxOperand result, PtxType type, List<PtxOperand> parts) {
        int bits = type.bits() / parts.size();
        Wide packed = Wide.ZERO;
        for (int i = 0; i < parts.size(); i++) {
            int at = i * bits;
            if (bits == Integer.SIZE) {
                IrOperand word = lowering.word(parts.get(i));
                packed = i == 0 ? new Wide(word, packed.high()) : new Wide(packed.low(), word);
            } else {
                IrOperand part = code.extend(lowering.word(parts.get(i)), bits, false);
                IrOperand moved = code.shiftLeft(part, Code.literal(at % Integer.SIZE));
                packed =
                        at < Integer.SIZE
                                ? new Wide(code.or(packed.low(), moved), packed.high())
                                : new Wide(packed.low(), code.or(packed.high(), moved));
            }
        }
        lowering.set(result, packed);
    }

    private void unpack(List<PtxOperand> results, PtxType type, PtxOperand source) {
        int bits = type.bits() / results.size();
        Wide whole = lowering.wide(source);
        for (int i = 0; i < results.size(); i++) {
            int at = i * bits;
            IrOperand word = at < Integer.SIZE ? whole.low() : whole.high();
            IrOperand part =
                    bits == Integer.SIZE ? word : code.field(word, at % Integer.SIZE, bits, false);
            lowering.set(results.get(i), part);
        }
    }
}
