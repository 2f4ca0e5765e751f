package io.gpuvm.ptx.allocate;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Values that are live at the borders of blocks. A value that a phi uses is live at the end of the
/// predecessor; the phi's result is defined at the start of its block.
final class Liveness {
    private final List<List<Value>> in = new ArrayList<>();
    private final List<List<Value>> out = new ArrayList<>();

    /// Use of a value in a block or at its end.
    private record Place(Block block, boolean atEnd) {}

    private final Function function;

    /// Number of elements of all lists.
    private long entries;

    private Liveness(Function function) {
        this.function = function;
        for (int i = 0; i < function.blocks().size(); i++) {
            in.add(new ArrayList<>());
            out.add(new ArrayList<>());
        }
    }

    static Liveness of(Function function) {
        List<Block> blocks = function.blocks();
        Liveness live = new Liveness(function);
        Value[] values = new Value[function.values()];
        List<List<Place>> places = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            places.add(null);
        }
        for (Block block : blocks) {
            Place inside = new Place(block, false);
            for (IrInstruction phi : block.phis()) {
                for (int i = 0; i < phi.uses().size(); i++) {
                    Value value = phi.uses().get(i).value();
                    Place end = new Place(block.predecessors().get(i), true);
                    note(value, end, values, places);
                }
            }
            for (IrInstruction instruction : block.instructions()) {
                for (Use use : instruction.uses()) {
                    note(use.value(), inside, values, places);
                }
            }
            note(block.terminator().value(), inside, values, places);
        }
        int[] seenIn = new int[blocks.size()];
        int[] seenOut = new int[blocks.size()];
        ArrayDeque<Block> work = new ArrayDeque<>();
        for (int id = 0; id < values.length; id++) {
            if (places.get(id) != null) {
                function.reserve(live.entries * Function.BYTES_OF_ENTRY);
                live.spread(values[id], places.get(id), seenIn, seenOut, work);
            }
        }
        return live;
    }

    private static void note(Value value, Place place, Value[] values, List<List<Place>> places) {
        if (value == null || value.isFixed()) {
            return;
        }
        values[value.id()] = value;
        List<Place> list = places.get(value.id());
        if (list == null) {
            list = new ArrayList<>(2);
            places.set(value.id(), list);
        }
        boolean isLocal = !place.atEnd() && value.definition().block() == place.block();
        if (!isLocal && (list.isEmpty() || !list.getLast().equals(place))) {
            list.add(place);
        }
    }

    private void spread(
            Value value, List<Place> places, int[] seenIn, int[] seenOut, ArrayDeque<Block> work) {
        int stamp = value.id() + 1;
        Block home = value.definition().block();
        for (Place place : places) {
            if (place.atEnd()) {
                leave(value, place.block(), home, seenIn, seenOut, work);
            } else if (seenIn[place.block().index()] != stamp) {
                seenIn[place.block().index()] = stamp;
                in.get(place.block().index()).add(value);
                entries++;
                work.add(place.block());
            }
            while (!work.isEmpty()) {
                for (Block from : work.poll().predecessors()) {
                    leave(value, from, home, seenIn, seenOut, work);
                }
            }
        }
    }

    private void leave(
            Value value,
            Block block,
            Block home,
            int[] seenIn,
            int[] seenOut,
            ArrayDeque<Block> work) {
        int stamp = value.id() + 1;
        int index = block.index();
        if (seenOut[index] != stamp) {
            seenOut[index] = stamp;
            out.get(index).add(value);
            entries++;
        }
        if (block != home && seenIn[index] != stamp) {
            seenIn[index] = stamp;
            in.get(index).add(value);
            entries++;
            work.add(block);
        }
    }

    /// Returns the values that are live at the start of a block, without its phis.
    List<Value> in(Block block) {
        return in.get(block.index());
    }

    /// Returns the values that are live at the end of a block, with operands of phis that follow.
    List<Value> out(Block block) {
        return out.get(block.index());
    }
}
