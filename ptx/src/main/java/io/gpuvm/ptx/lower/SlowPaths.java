package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Terminator;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Branches within the code of one instruction: only threads with unusual operands execute the code
/// for these. A branch ends the block of the instruction; a new block continues it.
final class SlowPaths {
    private final Code code;

    /// New blocks, by the block that they follow.
    private final Map<Block, List<Block>> added = new HashMap<>();

    SlowPaths(Code code) {
        this.code = code;
    }

    /// Adds a slow path, and continues in a new block, where threads meet again.
    ///
    /// @param isUsual predicate of the threads that have a result already
    /// @param usual result of these threads
    /// @param slow adds the code of the other threads, and returns their result
    /// @return result of all threads
    Wide choose(Value isUsual, Wide usual, Supplier<Wide> slow) {
        Block before = code.block();
        Function function = code.function();
        // Blocks with phis have no critical edges.
        Block direct = function.addBlock();
        Block unusual = function.addBlock();
        Block after = function.addBlock();
        added.put(before, List.of(direct, unusual, after));
        after.terminator(before.terminator());
        for (Block to : after.successors()) {
            to.predecessors().replaceAll(from -> from == before ? after : from);
        }
        Function.end(before, new Terminator.Branch(isUsual, false, direct, unusual));
        Function.end(direct, new Terminator.Jump(after));
        code.block(unusual);
        Wide other = slow.get();
        Function.end(code.block(), new Terminator.Jump(after));
        code.block(after);
        return new Wide(phi(usual.low(), other.low()), phi(usual.high(), other.high()));
    }

    private Value phi(IrOperand usual, IrOperand other) {
        Value result = code.function().word();
        code.block()
                .addPhi(
                        IrInstruction.of(Pseudo.PHI)
                                .define(result)
                                .use(Slot.PART, usual)
                                .use(Slot.PART, other));
        return result;
    }

    /// Moves the new blocks behind the blocks that they continue.
    void orderBlocks() {
        if (added.isEmpty()) {
            return;
        }
        Function function = code.function();
        Set<Block> fresh = new HashSet<>();
        added.values().forEach(fresh::addAll);
        List<Block> order = new ArrayList<>(function.blocks().size());
        ArrayDeque<Block> work = new ArrayDeque<>();
        for (Block original : function.blocks()) {
            if (fresh.contains(original)) {
                continue;
            }
            work.push(original);
            while (!work.isEmpty()) {
                Block block = work.pop();
                order.add(block);
                added.getOrDefault(block, List.of()).reversed().forEach(work::push);
            }
        }
        function.order(order);
    }
}
