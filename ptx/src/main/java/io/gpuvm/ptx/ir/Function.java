package io.gpuvm.ptx.ir;

import java.util.ArrayList;
import java.util.List;

/// Code of a kernel or function. Confined to the compilation's thread.
public final class Function {
    /// Number of values after which the compiler compares their number and its time to the limits.
    private static final int VALUES_OF_CHECK = 256;

    /// Estimate of the memory of a value, with the instruction that defines it, in all steps of the
    /// compiler, in bytes.
    public static final int BYTES_OF_VALUE = 800;

    /// Estimate of the memory of an element of a table about blocks or values, in bytes.
    public static final int BYTES_OF_ENTRY = 24;

    private final String name;
    private final boolean kernel;
    private final List<Block> blocks = new ArrayList<>();
    private final Checkpoint checkpoint = Checkpoint.current();
    private int values;

    /// Memory of the parts that the steps of the compiler have added, besides values and blocks.
    private long retained;

    public Function(String name, boolean kernel) {
        this.name = name;
        this.kernel = kernel;
    }

    public String name() {
        return name;
    }

    public boolean isKernel() {
        return kernel;
    }

    /// Returns the blocks; the first is the entry, which has no predecessors.
    public List<Block> blocks() {
        return blocks;
    }

    public Block entry() {
        return blocks.getFirst();
    }

    /// @throws Checkpoint.StoppedException if the function has too many values and blocks
    public Block addBlock() {
        if (blocks.size() % VALUES_OF_CHECK == 0) {
            reserve(0);
        }
        Block block = new Block(blocks.size());
        blocks.add(block);
        return block;
    }

    /// Returns a block that is not part of a function.
    public static Block detached() {
        return new Block(0);
    }

    public Value word() {
        return new Value(nextValue(), Value.Kind.WORD, 1);
    }

    /// @param words number of registers: 1, 2 or 4
    public Value wide(int words) {
        return new Value(nextValue(), Value.Kind.WORD, words);
    }

    public Value predicate() {
        return new Value(nextValue(), Value.Kind.PREDICATE, 1);
    }

    public Value carry() {
        return new Value(nextValue(), Value.Kind.CARRY, 1);
    }

    public Value like(Value other) {
        return new Value(nextValue(), other.kind(), other.words());
    }

    /// @throws Checkpoint.StoppedException if the function has too many values
    private int nextValue() {
        if (values % VALUES_OF_CHECK == 0) {
            reserve(0);
        }
        return values++;
    }

    /// Called by steps of the compiler that use memory that is not proportional to the number of
    /// values, before they use more of it.
    ///
    /// @param bytes estimate of the memory
    /// @throws Checkpoint.StoppedException if values of the same memory would exceed the limit
    public void reserve(long bytes) {
        checkpoint.pass(name, values + blocks.size() + (retained + bytes) / BYTES_OF_VALUE);
    }

    /// Called by steps of the compiler that add parts of the function whose number is not
    /// proportional to that of values, before they add them.
    ///
    /// @param bytes estimate of the parts' memory
    /// @throws Checkpoint.StoppedException if values of the same memory would exceed the limit
    public void retain(long bytes) {
        retained += bytes;
        reserve(0);
    }

    /// Called by the steps of the compiler in loops whose time is not proportional to the number of
    /// instructions.
    ///
    /// @throws Checkpoint.StoppedException if the compilation ends early
    public void checkpoint() {
        checkpoint.pass();
    }

    /// Returns the number of values; all [Value#id]s are lower.
    public int values() {
        return values;
    }

    /// Connects a block to its successors.
    public static void end(Block block, Terminator terminator) {
        block.terminator(terminator);
        for (Block successor : terminator.successors()) {
            successor.predecessors().add(block);
        }
    }

    /// Inserts an empty block on an edge, and returns it.
    public Block split(Block from, Block to) {
        return split(to, to.predecessors().indexOf(from));
    }

    /// Inserts an empty block on the edge from the predecessor at an index, and returns it.
    public Block split(Block to, int predecessor) {
        Block from = to.predecessors().get(predecessor);
        Block middle = addBlock();
        middle.terminator(new Terminator.Jump(to));
        middle.predecessors().add(from);
        from.terminator(from.terminator().with(to, middle));
        to.predecessors().set(predecessor, middle);
        return middle;
    }

    /// Orders the blocks, and drops blocks that are not in the order.
    public void order(List<Block> order) {
        blocks.clear();
        for (Block block : order) {
            block.index(blocks.size());
            blocks.add(block);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name).append(":\n");
        for (Block block : blocks) {
            text.append(block).append(" <- ").append(block.predecessors());
            text.append(block.join() == null ? "" : " join " + block.join()).append('\n');
            block.phis().forEach(phi -> text.append("  ").append(phi).append('\n'));
            block.instructions().forEach(one -> text.append("  ").append(one).append('\n'));
            text.append("  ").append(block.terminator()).append('\n');
        }
        return text.toString();
    }
}
