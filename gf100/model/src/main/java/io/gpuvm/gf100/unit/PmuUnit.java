package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pmu;
import java.util.Arrays;

/// Power management falcon: accepts a program, reports the location of its message rings, and sends
/// no messages.
///
/// A driver without a table of performance levels never sends a message to the falcon. A driver
/// that sends a message receives no reply and must handle the timeout.
///
/// Behaviour: nouveau `nvkm/subdev/pmu/{gt215,gf100}.c`, `fuc/host.fuc`.
public final class PmuUnit implements Unit {
    private final FalconUnit falcon =
            new FalconUnit(Pmu.FALCON, Pmu.CODE_PAGES, Pmu.DATA_PAGES, new Program());
    private final int[] mutex = new int[Pmu.MUTEX.count()];
    private boolean running;

    @Override
    public void declare(RegisterTable.Builder table) {
        table.unit(falcon)
                .constant(Pmu.MMIO_FAULT_ADDRESS, 0)
                .constant(Pmu.MMIO_FAULT_STATUS, 0)
                .latch(Pmu.RFIFO_PUT)
                .constant(Pmu.RFIFO_GET, 0)
                .constant(Pmu.D2H_PUT, 0)
                .latch(Pmu.D2H_GET)
                .onRead(Pmu.H2D, () -> ring(Pmu.H2D_OFFSET))
                .onRead(Pmu.D2H, () -> ring(Pmu.D2H_OFFSET))
                .array(Pmu.MUTEX, index -> mutex[index], this::lock);
    }

    @Override
    public void reset() {
        falcon.reset();
        Arrays.fill(mutex, 0);
        running = false;
    }

    /// Called when the unit's bit of `PMC.ENABLE` changes to zero: discards the program.
    public void stop() {
        running = false;
    }

    private int ring(int offset) {
        return running ? Pmu.RING_BYTES.of(Pmu.MESSAGE_RING_BYTES) | Pmu.RING_OFFSET.of(offset) : 0;
    }

    /// Acquires a free lock if an owner's number is written, and releases it if zero is written.
    private void lock(int index, int owner) {
        if (owner == 0 || mutex[index] == 0) {
            mutex[index] = owner;
        }
    }

    private final class Program implements FalconProgram {
        @Override
        public void onStart() {
            running = true;
        }
    }
}
