package io.gpuvm.gf100.isa;

/// Operations of BAR. [#code] returns the encoding in the instruction.
public enum BarrierOp {
    /// Waits; the result is the number of threads whose predicate is true. Plain synchronization
    /// discards the result.
    POPC(0),
    /// Waits; the result is whether the predicates of all threads are true.
    AND(1),
    /// Waits; the result is whether the predicate of any thread is true.
    OR(2),
    /// Counts the thread as arrived, without waiting.
    ARRIVE(4);

    private final int code;

    BarrierOp(int code) {
        this.code = code;
    }

    /// Returns the value of [Field#BARRIER_OP].
    public int code() {
        return code;
    }
}
