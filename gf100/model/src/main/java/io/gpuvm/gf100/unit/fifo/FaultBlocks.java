package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.translation.FaultSink;
import io.gpuvm.gf100.unit.Hold;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/// The MMU's fault blocks (002800 and up), and the mask of blocks that hold a report (00259c).
///
/// A report does not change until the driver acknowledges it. If the same unit has another fault,
/// the reporter waits for [#block(int)] or, like the BARs, drops the report. One thread at a time
/// reports faults of a unit; it writes the report's words before the report's bit.
public final class FaultBlocks implements FaultSink {
    private static final int PAGE_SHIFT = 12;

    private final Hold[] blocks = new Hold[FaultUnit.COUNT];
    private final int[] instances = new int[FaultUnit.COUNT];
    private final int[] addressesLow = new int[FaultUnit.COUNT];
    private final int[] addressesHigh = new int[FaultUnit.COUNT];
    private final int[] statuses = new int[FaultUnit.COUNT];
    private final AtomicInteger pending = new AtomicInteger();
    private final FifoInterrupts interrupts;
    private final Runnable onFault;

    FaultBlocks(FifoInterrupts interrupts, Runnable onFault) {
        this.interrupts = interrupts;
        this.onFault = onFault;
        Arrays.setAll(blocks, unit -> () -> (pending.get() >>> unit & 1) == 0);
    }

    /// Returns the hold that is released while a unit's block has no report.
    public Hold block(int unit) {
        return blocks[unit];
    }

    @Override
    public void report(int unit, long instanceAddress, long gpuVa, int status) {
        onFault.run();
        int bit = 1 << unit;
        if ((pending.get() & bit) != 0) {
            return;
        }
        instances[unit] = (int) (instanceAddress >>> PAGE_SHIFT);
        addressesLow[unit] = (int) gpuVa;
        addressesHigh[unit] = (int) (gpuVa >>> Integer.SIZE);
        statuses[unit] = status;
        pending.getAndUpdate(bits -> bits | bit);
        interrupts.update();
    }

    /// Returns the pending reports; bit u: block u holds a report.
    int pending() {
        return pending.get();
    }

    /// Frees the blocks whose bits are set.
    ///
    /// @return bits of the blocks that held a report
    int acknowledge(int bits) {
        int freed = pending.getAndUpdate(held -> held & ~bits) & bits;
        interrupts.update();
        return freed;
    }

    int instance(int unit) {
        return instances[unit];
    }

    int addressLow(int unit) {
        return addressesLow[unit];
    }

    int addressHigh(int unit) {
        return addressesHigh[unit];
    }

    int status(int unit) {
        return statuses[unit];
    }

    /// Resets to the power-on state.
    void reset() {
        Arrays.fill(instances, 0);
        Arrays.fill(addressesLow, 0);
        Arrays.fill(addressesHigh, 0);
        Arrays.fill(statuses, 0);
        acknowledge(-1);
    }
}
