package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.gf100.isa.VoteMode;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;

/// Unit for moves, selections, special registers, predicates as words, and votes.
final class MoveUnit {
    private static final int LANES = Rows.LANES;
    private static final VoteMode[] VOTES = VoteMode.values();

    /// Mask of the first lane of each quad.
    private static final int QUADS = 0x1111_1111;

    private static final int QUAD_MASK = 0xf;
    private static final int PREDICATES = Warp.TRUE_PREDICATE;

    private final Operands operands;
    private final SpecialRegisters special;

    MoveUnit(Operands operands, SpecialRegisters special) {
        this.operands = operands;
        this.special = special;
    }

    void move(Warp warp, Instruction i, int mask) {
        int lanes = i.mode == QUAD_MASK ? mask : mask & i.mode * QUADS;
        int b = operands.second(warp, i);
        int d = warp.target(i, lanes);
        System.arraycopy(warp.registers, b, warp.registers, d, LANES);
        warp.commit(i, lanes, d, 1);
    }

    /// Selects the first operand if the predicate is true, else the second.
    void select(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int first = warp.predicates[i.psrc] ^ i.psrcFlip;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = (first >>> l & 1) != 0 ? r[i.a + l] : r[b + l];
        }
        warp.commit(i, mask, d, 1);
    }

    void special(Warp warp, Instruction i, int mask) {
        int d = warp.target(i, mask);
        SpecialRegister register = SpecialRegister.of(i.mode);
        if (register == null) {
            Arrays.fill(warp.registers, d, d + LANES, 0);
        } else {
            special.read(warp, register, d);
        }
        warp.commit(i, mask, d, 1);
    }

    /// Copies predicates, or the condition code, to the bits of a word that the second operand
    /// selects; the other bits come from the first operand.
    void predicatesToWord(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean conditions = i.is(Field.FLAGS_HIGH);
        for (int l = 0; l < LANES; l++) {
            int flags = conditions ? conditionsOf(warp, l) : predicatesOf(warp, l);
            r[d + l] = r[i.a + l] & ~r[b + l] | flags & r[b + l];
        }
        warp.commit(i, mask, d, 1);
    }

    private static int predicatesOf(Warp warp, int lane) {
        int flags = 0;
        for (int p = 0; p < PREDICATES; p++) {
            flags |= (warp.predicates[p] >>> lane & 1) << p;
        }
        return flags;
    }

    private static int conditionsOf(Warp warp, int lane) {
        return (warp.zero >>> lane & 1)
                | (warp.sign >>> lane & 1) << 1
                | (warp.carry >>> lane & 1) << 2
                | (warp.overflow >>> lane & 1) << 3;
    }

    /// Copies bits of the first operand to the predicates, or conditions, that the second operand
    /// selects.
    void wordToPredicates(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int[] r = warp.registers;
        boolean conditions = i.is(Field.FLAGS_HIGH);
        for (int l = 0; l < LANES; l++) {
            if ((mask >>> l & 1) == 0) {
                continue;
            }
            int names = r[b + l];
            int values = r[i.a + l];
            if (conditions) {
                warp.zero = put(warp.zero, l, names, values, 0);
                warp.sign = put(warp.sign, l, names, values, 1);
                warp.carry = put(warp.carry, l, names, values, 2);
                warp.overflow = put(warp.overflow, l, names, values, 3);
            } else {
                for (int p = 0; p < PREDICATES; p++) {
                    warp.predicates[p] = put(warp.predicates[p], l, names, values, p);
                }
            }
        }
    }

    private static int put(int flags, int lane, int names, int values, int bit) {
        if ((names >>> bit & 1) == 0) {
            return flags;
        }
        return flags & ~(1 << lane) | (values >>> bit & 1) << lane;
    }

    /// Writes the votes of the executing lanes to the result register, and the combined vote to a
    /// predicate.
    void vote(Warp warp, Instruction i, int mask) {
        int yes = (warp.predicates[i.psrc] ^ i.psrcFlip) & mask;
        boolean result =
                switch (VOTES[i.mode]) {
                    case ALL -> yes == mask;
                    case ANY -> yes != 0;
                    case EQ -> yes == 0 || yes == mask;
                };
        int d = warp.target(i, mask);
        Arrays.fill(warp.registers, d, d + LANES, yes);
        warp.commit(i, mask, d, 1);
        warp.predicate(i.pdst, mask, result ? Warp.ALL_LANES : 0);
    }

    /// Loads the instruction's offset in the code segment.
    void address(Warp warp, Instruction i, int mask) {
        int d = warp.target(i, mask);
        Arrays.fill(warp.registers, d, d + LANES, i.pc);
        warp.commit(i, mask, d, 1);
    }

    /// Loads a barrier's state: always 0, because no known code reads the state.
    void barrierState(Warp warp, Instruction i, int mask) {
        int d = warp.target(i, mask);
        Arrays.fill(warp.registers, d, d + LANES, 0);
        warp.commit(i, mask, d, 1);
    }
}
