package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.Arrays;
import java.util.List;

/// Table of the instructions that compute a value in the blocks that dominate a block, by their
/// operations and operands. Instructions leave the table in the reverse order of their addition, so
/// that a slot which is emptied ends no search for another instruction.
final class AvailableExpressions {
    private static final int FIRST_SIZE = 64;
    private static final int PRIME = 31;

    /// Multiplier that spreads hashes to the upper bits: 2^32 divided by the golden ratio.
    private static final int SPREAD = 0x9e37_79b9;

    /// Operand that another is equal to, by the number of a carry; null for none.
    private final Value[] equals;

    private IrInstruction[] slots = new IrInstruction[FIRST_SIZE];
    private int[] hashes = new int[FIRST_SIZE];

    /// Slots in the order of the additions.
    private int[] order = new int[FIRST_SIZE];

    private int count;

    /// @param equals carry that an equal carry has replaced as an operand, by number
    AvailableExpressions(Value[] equals) {
        this.equals = equals;
    }

    /// Returns the number of instructions, for [#reset(int)].
    int count() {
        return count;
    }

    /// Returns the instruction with the same operation and operands, or null after adding this one.
    /// The operands must not change before the instruction leaves the table.
    IrInstruction findOrAdd(IrInstruction instruction) {
        if (2 * (count + 1) > slots.length) {
            grow();
        }
        int hash = hash(instruction);
        int slot = first(hash);
        while (slots[slot] != null) {
            if (hashes[slot] == hash && areEqual(slots[slot], instruction)) {
                return slots[slot];
            }
            slot = slot + 1 & slots.length - 1;
        }
        put(slot, instruction, hash);
        return null;
    }

    /// Removes the instructions that were added last.
    ///
    /// @param remaining number of instructions that remain
    void reset(int remaining) {
        while (count > remaining) {
            slots[order[--count]] = null;
        }
    }

    private int first(int hash) {
        return hash * SPREAD >>> Integer.numberOfLeadingZeros(slots.length) + 1;
    }

    private void put(int slot, IrInstruction instruction, int hash) {
        slots[slot] = instruction;
        hashes[slot] = hash;
        order[count++] = slot;
    }

    private void grow() {
        IrInstruction[] oldSlots = slots;
        int[] oldHashes = hashes;
        int[] oldOrder = order;
        int known = count;
        slots = new IrInstruction[2 * oldSlots.length];
        hashes = new int[slots.length];
        order = Arrays.copyOf(oldOrder, slots.length);
        count = 0;
        for (int i = 0; i < known; i++) {
            int hash = oldHashes[oldOrder[i]];
            int slot = first(hash);
            while (slots[slot] != null) {
                slot = slot + 1 & slots.length - 1;
            }
            put(slot, oldSlots[oldOrder[i]], hash);
        }
    }

    private IrOperand operand(Use use) {
        boolean isReplaced =
                use.operand() instanceof Value value
                        && value.kind() == Value.Kind.CARRY
                        && equals[value.id()] != null;
        return isReplaced ? equals[use.value().id()] : use.operand();
    }

    private int hash(IrInstruction instruction) {
        int hash =
                instruction.pseudo() == null
                        ? instruction.opcode().ordinal()
                        : -1 - instruction.pseudo().ordinal();
        hash = PRIME * hash + instruction.modifiers().hashCode();
        hash = PRIME * hash + instruction.index();
        for (Use use : instruction.uses()) {
            IrOperand operand = operand(use);
            int each = operand instanceof Value value ? value.id() : operand.hashCode();
            hash = PRIME * (PRIME * hash + use.slot().ordinal()) + each;
        }
        return hash;
    }

    private boolean areEqual(IrInstruction one, IrInstruction other) {
        if (one.opcode() != other.opcode()
                || one.pseudo() != other.pseudo()
                || one.index() != other.index()
                || !one.modifiers().equals(other.modifiers())) {
            return false;
        }
        List<Use> first = one.uses();
        List<Use> second = other.uses();
        if (first.size() != second.size()) {
            return false;
        }
        for (int i = 0; i < first.size(); i++) {
            Use a = first.get(i);
            Use b = second.get(i);
            if (a.slot() != b.slot()
                    || a.inverted() != b.inverted()
                    || !operand(a).equals(operand(b))) {
                return false;
            }
        }
        return true;
    }
}
