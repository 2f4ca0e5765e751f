package io.gpuvm.gf100.isa;

/// Operations of BAR. [#code] returns the encoding in the instruction.
public enum BarrierOp {
    /// Wait; the result is how many threads' predicate is true. With the result thrown away: plain
    /// synchronization.
    POPC(0),
    /// Wait; the result is whether all threads' predicate is true.
    AND(1),
    /// Wait; the result is whether any thread's predicate is true.
    OR(2),
    /// Count as having arrived, without waiting.
    ARRIVE(4);

    private final int code;

    BarrierOp(int code) {
        this.code = code;
    }

    /// Value of [Field#BARRIER_OP].
    public int code() {
        return code;
    }
}
