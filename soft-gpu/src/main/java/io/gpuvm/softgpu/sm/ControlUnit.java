package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.BreakpointKind;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for branches, calls, and instructions that end lanes' paths.
///
/// When lanes diverge, the lanes that fall through execute first and the lanes that branch wait.
/// Lanes that leave a loop therefore reach the point at which they wait for the other lanes, and
/// one stack entry suffices for all iterations.
final class ControlUnit {
    private static final int NO_BANK = -1;

    private final ConstantCache constants;
    private final WarpTrap trap;

    ControlUnit(ConstantCache constants, WarpTrap trap) {
        this.constants = constants;
        this.trap = trap;
    }

    void branch(Warp warp, Instruction i, int mask) {
        if (i.mode != 0 && mask != warp.active) {
            return;
        }
        if (i.a == Rows.ZERO) {
            part(warp, mask, destination(warp, i, 0));
        } else {
            branchIndirect(warp, i, mask);
        }
    }

    /// Branches each lane to the address in its register.
    private void branchIndirect(Warp warp, Instruction i, int mask) {
        int rest = mask;
        while (rest != 0) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int same = 0;
            for (int others = rest; others != 0; others &= others - 1) {
                int other = Integer.numberOfTrailingZeros(others);
                int[] r = warp.registers;
                same |= (r[i.a + other] == r[i.a + lane] ? 1 : 0) << other;
            }
            rest &= ~same;
            part(warp, same, destination(warp, i, lane));
        }
    }

    private int destination(Warp warp, Instruction i, int lane) {
        int value = warp.registers[i.a + lane];
        int bank = i.field(Field.B_BANK, NO_BANK);
        if (bank != NO_BANK) {
            value = constants.word(bank, value + i.offset, WarpError.INVALID_CONST_ADDR);
        }
        return value + i.target;
    }

    /// Branches lanes: immediately if no other lane is active, else after the path of the other
    /// lanes has ended.
    private void part(Warp warp, int lanes, int destination) {
        if (lanes == warp.active) {
            warp.pc = destination;
        } else {
            push(warp, DivergenceStack.DIVERGED, lanes, destination);
            warp.active &= ~lanes;
        }
    }

    void call(Warp warp, Instruction i) {
        push(warp, DivergenceStack.RETURN, warp.active, i.next);
        warp.pc = destination(warp, i, 0);
    }

    /// Pushes the destination of lanes that later execute an instruction of the given kind.
    void prepare(Warp warp, Instruction i, int kind) {
        push(warp, kind, warp.active, destination(warp, i, 0));
    }

    private void push(Warp warp, int kind, int mask, int destination) {
        if (warp.stack.isFull()) {
            throw trap.of(WarpError.STACK_ERROR);
        }
        warp.stack.push(kind, mask, destination);
    }

    /// Deactivates lanes until an entry of the given kind is popped.
    void leave(Warp warp, int mask, int kind) {
        warp.stack.switchOff(kind, mask);
        end(warp, mask);
    }

    void exit(Warp warp, int mask) {
        warp.alive &= ~mask;
        end(warp, mask);
    }

    /// Deactivates lanes at the point where they join.
    void join(Warp warp, int mask) {
        int lanes = mask & warp.active;
        if (lanes != warp.active) {
            warp.active &= ~lanes;
            return;
        }
        if (lanes == 0) {
            return;
        }
        if (warp.stack.isEmpty() || warp.stack.topKind() > DivergenceStack.JOIN) {
            throw trap.of(WarpError.STACK_ERROR);
        }
        end(warp, lanes);
    }

    private void end(Warp warp, int lanes) {
        warp.active &= ~lanes;
        DivergenceStack stack = warp.stack;
        while (warp.active == 0 && warp.alive != 0) {
            if (stack.isEmpty()) {
                boolean returned = stack.isAwaited(DivergenceStack.RETURN);
                throw trap.of(returned ? WarpError.RET_EMPTY_STACK_ERROR : WarpError.STACK_ERROR);
            }
            warp.active = stack.pop() & warp.alive;
            warp.pc = stack.target();
        }
    }

    /// Handles a breakpoint. The kind DRAIN has no effect; other kinds are errors, because there is
    /// no debugger.
    void breakpoint(Instruction i) {
        if (i.field(Field.BREAKPOINT, 0) != BreakpointKind.DRAIN.ordinal()) {
            throw trap.of(WarpError.ILLEGAL_INSTR_PARAM);
        }
    }
}
