package io.gpuvm.ptx.ir;

import io.gpuvm.gf100.isa.Opcode;
import java.util.ArrayList;
import java.util.List;

/// Basic block: phis, instructions, terminator. Confined to the compilation's thread.
public final class Block {
    private int index;
    private final List<IrInstruction> phis = new ArrayList<>();
    private List<IrInstruction> instructions = new ArrayList<>();
    private final List<Block> predecessors = new ArrayList<>(2);
    private Terminator terminator;
    private Block join;
    private Block enclosing;
    private Opcode arrival;
    private Block first;

    Block(int index) {
        this.index = index;
    }

    /// Returns the block's index in the function's list.
    public int index() {
        return index;
    }

    void index(int fresh) {
        index = fresh;
    }

    public List<IrInstruction> phis() {
        return phis;
    }

    public List<IrInstruction> instructions() {
        return instructions;
    }

    public void instructions(List<IrInstruction> fresh) {
        instructions = fresh;
        fresh.forEach(instruction -> instruction.block(this));
    }

    public void add(IrInstruction instruction) {
        instruction.block(this);
        instructions.add(instruction);
    }

    /// Replaces the instruction at an index.
    public void replace(int at, IrInstruction fresh) {
        fresh.block(this);
        instructions.set(at, fresh);
    }

    public void addPhi(IrInstruction phi) {
        phi.block(this);
        phis.add(phi);
    }

    /// Returns the predecessors, in the order of the operands of phis.
    public List<Block> predecessors() {
        return predecessors;
    }

    public List<Block> successors() {
        return terminator.successors();
    }

    public Terminator terminator() {
        return terminator;
    }

    /// Sets the terminator, without a change of predecessors.
    public void terminator(Terminator fresh) {
        terminator = fresh;
    }

    /// Returns the innermost block at which threads of this block join the other threads of their
    /// warp, or null: a thread that continues there waits for the others.
    public Block join() {
        return join;
    }

    public void join(Block fresh) {
        join = fresh;
    }

    /// Returns the next outer join of the blocks of which this block is the innermost join, or
    /// null.
    public Block enclosing() {
        return enclosing;
    }

    /// Returns the instruction that makes threads wait at this join: NOP with `.S`, BRK or CONT.
    public Opcode arrival() {
        return arrival;
    }

    /// Makes this block a join.
    ///
    /// @param outer next outer join, or null
    public void makeJoin(Block outer, Opcode waiting) {
        enclosing = outer;
        arrival = waiting;
    }

    /// Returns whether threads that continue from this block at another one wait there.
    public boolean waitsAt(Block other) {
        if (other.arrival == null) {
            return false;
        }
        Block at = join;
        while (at != null && at != other) {
            at = at.enclosing;
        }
        return at != null;
    }

    /// Returns the successor whose threads execute before those that continue at the other
    /// successor, or null if the order does not matter.
    public Block first() {
        return first;
    }

    public void first(Block successor) {
        first = successor;
    }

    @Override
    public String toString() {
        return "B" + index;
    }
}
