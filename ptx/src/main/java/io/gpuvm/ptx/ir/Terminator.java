package io.gpuvm.ptx.ir;

import java.util.List;

/// End of a block: the choice of the next block.
public sealed interface Terminator {
    /// Continues at a block.
    record Jump(Block target) implements Terminator {}

    /// Continues at `taken` if the predicate is true (or false if `inverted`), otherwise at
    /// `other`.
    record Branch(Value predicate, boolean inverted, Block taken, Block other)
            implements Terminator {}

    /// Ends the thread.
    record Exit() implements Terminator {}

    /// Returns to the caller.
    record Return() implements Terminator {}

    /// Returns the blocks that may follow, each once.
    default List<Block> successors() {
        return switch (this) {
            case Jump(Block target) -> List.of(target);
            case Branch(var _, var _, Block taken, Block other) ->
                    taken == other ? List.of(taken) : List.of(taken, other);
            case Exit _, Return _ -> List.of();
        };
    }

    /// Returns the terminator with a successor replaced.
    default Terminator with(Block old, Block fresh) {
        return switch (this) {
            case Jump(Block target) -> new Jump(target == old ? fresh : target);
            case Branch(var predicate, var inverted, Block taken, Block other) ->
                    new Branch(
                            predicate,
                            inverted,
                            taken == old ? fresh : taken,
                            other == old ? fresh : other);
            case Exit _, Return _ -> this;
        };
    }

    /// Returns the value on which the choice depends, or null.
    default Value value() {
        return switch (this) {
            case Branch branch -> branch.predicate();
            case Jump _, Exit _, Return _ -> null;
        };
    }

    /// Returns the terminator with the value replaced.
    default Terminator withValue(Value fresh) {
        return switch (this) {
            case Branch b -> new Branch(fresh, b.inverted(), b.taken(), b.other());
            case Jump _, Exit _, Return _ -> this;
        };
    }
}
