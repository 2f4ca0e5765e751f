package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.QueryRecord;
import io.gpuvm.gf100.classes.ThreedClass;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Condition for operations of 3D and 2D, which depends on the result of an earlier query.
final class Condition {
    private static final int ALIGNMENT_BYTES = QueryRecord.BYTES;

    private final VirtualMemory memory;
    private final ClassState state;
    private final int addressHigh;

    /// Sets the unconditional mode, which drivers expect on a new channel.
    ///
    /// @param addressHigh first of three consecutive methods: upper half of the address, lower
    ///   half, mode
    Condition(VirtualMemory memory, ClassState state, int addressHigh) {
        this.memory = memory;
        this.state = state;
        this.addressHigh = addressHigh;
        state.set(mode(), ThreedClass.CONDITION_ALWAYS);
    }

    /// Returns whether the data of the address method is misaligned.
    static boolean isMisaligned(int addressLow) {
        return addressLow % ALIGNMENT_BYTES != 0;
    }

    /// Returns whether a number is a valid mode.
    static boolean isMode(int mode) {
        return mode >= ThreedClass.CONDITION_NEVER && mode <= ThreedClass.CONDITION_NOT_EQUAL;
    }

    /// Returns whether the condition is true; reads memory if the mode requires it.
    boolean holds() {
        return switch (state.get(mode())) {
            case ThreedClass.CONDITION_NEVER -> false;
            case ThreedClass.CONDITION_NON_ZERO ->
                    memory.read32(VirtualMemory.wrap(gpuVa() + QueryRecord.ZERO)) != 0;
            case ThreedClass.CONDITION_EQUAL -> recordsAreEqual();
            case ThreedClass.CONDITION_NOT_EQUAL -> !recordsAreEqual();
            default -> true;
        };
    }

    private boolean recordsAreEqual() {
        long second = VirtualMemory.wrap(gpuVa() + QueryRecord.BYTES);
        return memory.read64(gpuVa()) == memory.read64(second);
    }

    private long gpuVa() {
        return state.address(addressHigh, addressHigh + Integer.BYTES);
    }

    private int mode() {
        return addressHigh + 2 * Integer.BYTES;
    }
}
