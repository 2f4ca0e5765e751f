package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pmu;
import java.util.Arrays;

/// The power management falcon: takes a program, says where its message rings are, and sends
/// nothing.
///
/// A driver without a table of performance levels never sends it a message. One that does is not
/// answered: its wait for an answer is its own.
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

    /// Acts on the unit's bit of `PMC.ENABLE` going to zero: the program is gone.
    public void stop() {
        running = false;
    }

    private int ring(int offset) {
        return running ? Pmu.RING_BYTES.of(Pmu.MESSAGE_RING_BYTES) | Pmu.RING_OFFSET.of(offset) : 0;
    }

    /// A lock is taken by writing an owner's number to a free one, and freed by writing zero.
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
