package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.softgpu.sm.code.Instruction;

/// Executes instructions of one warp: determines the executing lanes, and passes the instruction to
/// its unit.
///
/// An instruction is dispatched once per warp; the units loop over lanes. A failing instruction
/// throws [WarpTrap] or [io.gpuvm.softgpu.mmu.MmuFault]; [Warp#current] is then the failed
/// instruction, or null if its word could not be read, and [Warp#lane] is the failed lane.
final class Interpreter {
    private final CodeCache code;
    private final InterpreterTally tally;
    final ConstantCache constants;
    final SharedMemory shared;
    private final WarpTrap trap;
    private final Block block;
    private final Barriers barriers;
    private final IntegerUnit integers;
    private final BitUnit bits;
    private final VideoUnit videos;
    private final FloatUnit floats;
    private final DoubleUnit doubles;
    private final ConversionUnit conversions;
    private final MoveUnit moves;
    private final MemoryUnit memory;
    private final AtomicUnit atomics;
    private final TextureUnit textures;
    private final ControlUnit control;

    Interpreter(
            CodeCache code,
            InterpreterTally tally,
            ConstantCache constants,
            SharedMemory shared,
            WarpTrap trap,
            Block block,
            Barriers barriers,
            SpecialRegisters special,
            MemoryUnit memory,
            AtomicUnit atomics,
            TextureUnit textures,
            ControlUnit control) {
        this.code = code;
        this.tally = tally;
        this.constants = constants;
        this.shared = shared;
        this.trap = trap;
        this.block = block;
        this.barriers = barriers;
        this.memory = memory;
        this.atomics = atomics;
        this.textures = textures;
        this.control = control;
        Operands operands = new Operands(constants);
        integers = new IntegerUnit(operands);
        bits = new BitUnit(operands);
        videos = new VideoUnit(operands);
        floats = new FloatUnit(operands);
        doubles = new DoubleUnit(operands);
        conversions = new ConversionUnit(operands);
        moves = new MoveUnit(operands, special);
    }

    /// Runs a warp until it exits, waits at a barrier, or its turn ends.
    ///
    /// @param most maximum number of instructions
    /// @return number of executed instructions
    int run(Warp warp, int most) {
        int left = most;
        while (left > 0 && warp.barrier < 0 && warp.alive != 0) {
            perform(warp, fetch(warp));
            left--;
        }
        return most - left;
    }

    /// Executes consecutive instructions, for a compiled kernel.
    ///
    /// @param from index of the first instruction
    /// @param to index after the last instruction
    void run(Warp warp, Instruction[] instructions, int from, int to) {
        for (int n = from; n < to; n++) {
            step(warp, instructions[n]);
        }
    }

    /// Executes the next instruction, for a compiled kernel.
    void step(Warp warp) {
        step(warp, fetch(warp));
    }

    /// Executes an instruction, for a compiled kernel.
    void step(Warp warp, Instruction i) {
        tally.handOver(i.opcode);
        perform(warp, i);
    }

    private void perform(Warp warp, Instruction i) {
        warp.current = i;
        int mask = warp.active & (warp.predicates[i.guard] ^ i.guardFlip);
        if (!Warp.isAlways(i.condition)) {
            mask &= warp.test(i.condition);
        }
        warp.mask = mask;
        warp.pc = i.next;
        if (mask != 0) {
            warp.lane = Integer.numberOfTrailingZeros(mask);
            if (i.error != null) {
                throw trap.of(i.error);
            }
            execute(warp, i, mask);
            if (i.joins) {
                control.join(warp, mask);
            }
        }
    }

    private Instruction fetch(Warp warp) {
        int pc = warp.pc;
        warp.lane = Integer.numberOfTrailingZeros(warp.active);
        warp.current = null;
        return code.at(pc);
    }

    private void execute(Warp warp, Instruction i, int mask) {
        switch (i.opcode) {
            case IADD, IADD32I -> integers.add(warp, i, mask);
            case ISCADD, ISCADD32I -> integers.shiftAdd(warp, i, mask);
            case IMUL, IMUL32I -> integers.multiply(warp, i, mask);
            case IMAD, IMAD32I -> integers.multiplyAdd(warp, i, mask);
            case ISAD -> integers.absoluteDifference(warp, i, mask);
            case IMNMX -> integers.minMax(warp, i, mask);
            case ISET -> PredicateUnit.words(warp, i, mask, integers.compare(warp, i));
            case ISETP -> PredicateUnit.predicates(warp, i, mask, integers.compare(warp, i));
            case ICMP -> integers.select(warp, i, mask);
            case LOP, LOP32I -> bits.logic(warp, i, mask);
            case SHL -> bits.shiftLeft(warp, i, mask);
            case SHR -> bits.shiftRight(warp, i, mask);
            case BFE -> bits.extract(warp, i, mask);
            case BFI -> bits.insert(warp, i, mask);
            case FLO -> bits.findLeading(warp, i, mask);
            case POPC -> bits.countBits(warp, i, mask);
            case PRMT -> bits.permute(warp, i, mask);
            case FADD, FADD32I -> floats.add(warp, i, mask);
            case FMUL, FMUL32I -> floats.multiply(warp, i, mask);
            case FFMA, FFMA32I -> floats.fma(warp, i, mask);
            case FMNMX -> floats.minMax(warp, i, mask);
            case FSET -> PredicateUnit.words(warp, i, mask, floats.compare(warp, i));
            case FSETP -> PredicateUnit.predicates(warp, i, mask, floats.compare(warp, i));
            case FCMP -> floats.select(warp, i, mask);
            case RRO -> floats.reduceRange(warp, i, mask);
            case MUFU -> floats.function(warp, i, mask);
            case DADD -> doubles.add(warp, i, mask);
            case DMUL -> doubles.multiply(warp, i, mask);
            case DFMA -> doubles.fma(warp, i, mask);
            case DMNMX -> doubles.minMax(warp, i, mask);
            case DSET -> PredicateUnit.words(warp, i, mask, doubles.compare(warp, i));
            case DSETP -> PredicateUnit.predicates(warp, i, mask, doubles.compare(warp, i));
            case F2F -> conversions.floatToFloat(warp, i, mask);
            case F2I -> conversions.floatToInteger(warp, i, mask);
            case I2F -> conversions.integerToFloat(warp, i, mask);
            case I2I -> conversions.integerToInteger(warp, i, mask);
            case MOV, MOV32I -> moves.move(warp, i, mask);
            case SEL -> moves.select(warp, i, mask);
            case S2R -> moves.special(warp, i, mask);
            case B2R -> moves.barrierState(warp, i, mask);
            case P2R -> moves.predicatesToWord(warp, i, mask);
            case R2P -> moves.wordToPredicates(warp, i, mask);
            case LEPC -> moves.address(warp, i, mask);
            case VOTE -> moves.vote(warp, i, mask);
            case CSET -> PredicateUnit.words(warp, i, mask, warp.test(i.mode));
            case CSETP -> PredicateUnit.predicates(warp, i, mask, warp.test(i.mode));
            case PSET -> PredicateUnit.words(warp, i, mask, PredicateUnit.inner(warp, i));
            case PSETP -> PredicateUnit.predicates(warp, i, mask, PredicateUnit.inner(warp, i));
            default -> executeFurther(warp, i, mask);
        }
    }

    /// Executes instructions for memory, control and video arithmetic.
    private void executeFurther(Warp warp, Instruction i, int mask) {
        switch (i.opcode) {
            case LD, LDU -> memory.loadGeneric(warp, i, mask);
            case ST -> memory.storeGeneric(warp, i, mask);
            case LDL -> memory.loadLocal(warp, i, mask);
            case STL -> memory.storeLocal(warp, i, mask);
            case LDS -> memory.loadShared(warp, i, mask);
            case STS -> memory.storeShared(warp, i, mask);
            case LD_LDU, LDS_LDU -> {
                executeFurther(warp, i.first, mask);
                executeFurther(warp, i.second, mask);
            }
            case LDSLK -> memory.loadSharedLocking(warp, i, mask);
            case STSUL -> memory.storeSharedUnlocking(warp, i, mask);
            case LDC -> memory.loadConstant(warp, i, mask);
            case ATOM -> atomics.execute(warp, i, mask, true);
            case RED -> atomics.execute(warp, i, mask, false);
            case TLD -> textures.fetch(warp, i, mask);
            case MEMBAR -> MemoryUnit.fence();
            case BRA, JMP, BRX, JMX -> control.branch(warp, i, mask);
            case CAL, JCAL -> control.call(warp, i);
            case SSY -> control.prepare(warp, i, DivergenceStack.JOIN);
            case PBK -> control.prepare(warp, i, DivergenceStack.BREAK);
            case PCNT -> control.prepare(warp, i, DivergenceStack.CONTINUE);
            case PRET -> control.prepare(warp, i, DivergenceStack.RETURN);
            case PLONGJMP -> control.prepare(warp, i, DivergenceStack.LONG_JUMP);
            case BRK -> control.leave(warp, mask, DivergenceStack.BREAK);
            case CONT -> control.leave(warp, mask, DivergenceStack.CONTINUE);
            case RET -> control.leave(warp, mask, DivergenceStack.RETURN);
            case LONGJMP -> control.leave(warp, mask, DivergenceStack.LONG_JUMP);
            case EXIT, KIL -> exit(warp, mask);
            case VADD -> videos.add(warp, i, mask);
            case VMNMX -> videos.minMax(warp, i, mask);
            case VABSDIFF -> videos.absoluteDifference(warp, i, mask);
            case VSHL -> videos.shiftLeft(warp, i, mask);
            case VSHR -> videos.shiftRight(warp, i, mask);
            case VSET -> videos.compareToWord(warp, i, mask);
            case VSETP -> PredicateUnit.predicates(warp, i, mask, videos.compare(warp, i));
            case VMAD -> videos.multiplyAdd(warp, i, mask);
            case BAR -> barriers.arrive(warp, i, mask, block);
            case BPT -> control.breakpoint(i);
            case NOP, CCTL, CCTLL -> {}
            default -> throw trap.of(WarpError.ILLEGAL_INSTR_ENCODING);
        }
    }

    private void exit(Warp warp, int mask) {
        control.exit(warp, mask);
        if (warp.isDone()) {
            block.onExit();
            barriers.onExit(block);
        }
    }
}
