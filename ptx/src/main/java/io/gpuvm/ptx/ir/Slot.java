package io.gpuvm.ptx.ir;

import io.gpuvm.gf100.isa.Field;

/// Role of an operand in an instruction.
public enum Slot {
    /// First source, or the address of a memory access.
    A(Field.SRC_A, null),
    /// Second source.
    B(Field.SRC_B, null),
    /// Third source.
    C(Field.SRC_C, null),
    /// Data of a store or atomic operation.
    DATA(Field.DATA, null),
    /// New value of a compare-and-swap.
    SWAP(Field.SWAP, null),
    /// Register with the number of a barrier.
    BARRIER(Field.BARRIER_REGISTER, null),
    /// Register with the number of threads of a barrier.
    THREADS(Field.THREADS_REGISTER, null),
    /// Predicate source.
    P(Field.PSRC, Field.PSRC_NOT),
    /// First source of an operation on predicates.
    PA(Field.PSRC_A, Field.PSRC_A_NOT),
    /// Second source of an operation on predicates.
    PB(Field.PSRC_B, Field.PSRC_B_NOT),
    /// Guard: the instruction affects only threads whose predicate is true.
    GUARD(Field.PREDICATE, Field.PREDICATE_NOT),
    /// Former contents of the result register, for threads that the guard excludes.
    KEPT(null, null),
    /// Carry of an earlier sum.
    CARRY(null, null),
    /// Word of a combination, or value of a phi or copy.
    PART(null, null);

    private final Field field;
    private final Field inversion;

    Slot(Field field, Field inversion) {
        this.field = field;
        this.inversion = inversion;
    }

    /// Returns the field with the number of the register, or null if the encoding has none.
    public Field field() {
        return field;
    }

    /// Returns the flag that inverts a predicate, or null for other registers.
    public Field inversion() {
        return inversion;
    }

    public boolean isPredicate() {
        return inversion != null;
    }
}
