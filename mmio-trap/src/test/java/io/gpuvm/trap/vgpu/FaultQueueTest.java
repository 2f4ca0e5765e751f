package io.gpuvm.trap.vgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.unit.InterruptOutput;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.port.CompletionInbox;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FaultQueueTest {
    private static final int UNIT = FaultUnit.PGRAPH.number();
    private static final int UNIT_BIT = 1 << UNIT;

    private final AtomicInteger shown = new AtomicInteger();
    private final FifoReports reports =
            FifoReports.create(
                    new InterruptOutput(_ -> true).tree().line(Pmc.INTR_PFIFO),
                    shown::incrementAndGet);
    private final FaultQueue queue = new FaultQueue(reports.faults(), reports.engines());

    @Test
    void givenUnacknowledgedReport_whenAnotherChannelFaults_thenSecondReportIsDelayed() {
        queue.report(UNIT, 1, 0x1000, 0, 0);
        queue.report(UNIT, 2, 0x2000, 0, 0);
        assertEquals(1, shown.get());

        queue.release(UNIT_BIT);
        assertEquals(2, shown.get());
        queue.release(UNIT_BIT);
        assertEquals(2, shown.get());
    }

    @Test
    void givenUnacknowledgedReport_whenUnattributedFaultsArrive_thenFaultsAreDropped() {
        for (int i = 0; i < 1000; i++) {
            queue.report(UNIT, CompletionInbox.NO_CHANNEL, 0, 0, 0);
        }
        assertEquals(1, shown.get());

        queue.release(UNIT_BIT);
        assertEquals(1, shown.get());
    }
}
