package io.gpuvm.ptx.ir;

import io.gpuvm.gf100.isa.Opcode;
import java.util.ArrayList;
import java.util.List;

/// Operation with its results and operands. Confined to the compilation's thread.
public final class IrInstruction {
    private Opcode opcode;
    private final Pseudo pseudo;
    private Modifiers modifiers;
    private final List<Value> results = new ArrayList<>(1);
    private final List<Use> uses = new ArrayList<>(4);
    private Block block;
    private Block target;
    private String callee;
    private int index;
    private int line;
    private boolean isVolatile;

    IrInstruction(Opcode opcode, Pseudo pseudo, Modifiers modifiers) {
        this.opcode = opcode;
        this.pseudo = pseudo;
        this.modifiers = modifiers;
    }

    public static IrInstruction of(Opcode opcode, Modifiers modifiers) {
        return new IrInstruction(opcode, null, modifiers);
    }

    public static IrInstruction of(Pseudo pseudo) {
        return new IrInstruction(null, pseudo, Modifiers.NONE);
    }

    /// Returns the machine operation, or null if the instruction is a [Pseudo].
    public Opcode opcode() {
        return opcode;
    }

    public void opcode(Opcode other) {
        opcode = other;
    }

    public Pseudo pseudo() {
        return pseudo;
    }

    public boolean is(Pseudo other) {
        return pseudo == other;
    }

    public boolean is(Opcode other) {
        return opcode == other;
    }

    public Modifiers modifiers() {
        return modifiers;
    }

    public void modifiers(Modifiers fresh) {
        modifiers = fresh;
    }

    /// Returns the results: a general register, predicates, a carry.
    public List<Value> results() {
        return results;
    }

    /// Returns the first result.
    public Value result() {
        return results.getFirst();
    }

    /// Returns the result of a kind, or null.
    public Value result(Value.Kind kind) {
        for (Value value : results) {
            if (value.kind() == kind) {
                return value;
            }
        }
        return null;
    }

    public IrInstruction define(Value value) {
        value.define(this);
        results.add(value);
        return this;
    }

    public List<Use> uses() {
        return uses;
    }

    public IrInstruction use(Slot slot, IrOperand operand) {
        uses.add(new Use(slot, operand));
        return this;
    }

    public IrInstruction use(Slot slot, IrOperand operand, boolean inverted) {
        uses.add(new Use(slot, operand, inverted));
        return this;
    }

    /// Returns the operand in a role, or null.
    public Use find(Slot slot) {
        for (Use use : uses) {
            if (use.slot() == slot) {
                return use;
            }
        }
        return null;
    }

    /// Returns the operand in a role, or null.
    public IrOperand operand(Slot slot) {
        Use use = find(slot);
        return use == null ? null : use.operand();
    }

    /// Replaces the operand of a role.
    public void replace(Slot slot, IrOperand operand) {
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i).slot() == slot) {
                uses.set(i, uses.get(i).with(operand));
            }
        }
    }

    public Block block() {
        return block;
    }

    void block(Block fresh) {
        // A store would make the processor write the cache line back.
        if (block != fresh) {
            block = fresh;
        }
    }

    /// Returns the block whose address the instruction pushes, or null.
    public Block target() {
        return target;
    }

    public IrInstruction target(Block fresh) {
        target = fresh;
        return this;
    }

    /// Returns the name of the called function, or null.
    public String callee() {
        return callee;
    }

    public IrInstruction callee(String name) {
        callee = name;
        return this;
    }

    /// Returns the number of the word that an extraction takes.
    public int index() {
        return index;
    }

    public IrInstruction index(int word) {
        index = word;
        return this;
    }

    /// Returns whether an access to memory must be executed as it is, in the order of the program.
    public boolean isVolatile() {
        return isVolatile;
    }

    public IrInstruction isVolatile(boolean fixed) {
        isVolatile = fixed;
        return this;
    }

    /// Returns the number of the PTX instruction, from 1, or 0 if it has no source line.
    public int line() {
        return line;
    }

    public IrInstruction line(int number) {
        line = number;
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        results.forEach(value -> text.append(value).append(' '));
        text.append(results.isEmpty() ? "" : "= ");
        text.append(pseudo == null ? opcode : pseudo).append(modifiers);
        for (Use use : uses) {
            text.append(' ').append(use.slot()).append(':');
            text.append(use.inverted() ? "!" : "").append(use.operand());
        }
        return text.toString();
    }
}
