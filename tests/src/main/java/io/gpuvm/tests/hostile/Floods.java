package io.gpuvm.tests.hostile;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Requests that are all legal, but too many.
final class Floods {
    private static final int DOORBELLS_AT_ONCE = 64;
    private static final int FLUSHES_PER_SECOND = 10_000;
    private static final int FLUSHES_AT_ONCE = 10;

    private final HostileGuest guest;

    Floods(HostileGuest guest) {
        this.guest = guest;
    }

    /// One doorbell after the other, without pause: each is read back now and then, so that the
    /// socket's buffer is not what is measured.
    ///
    /// @return how many
    long doorbells(long durationNs) {
        Tables tables = new Tables(guest, MemoryTarget.SYSTEM_COHERENT);
        HostileChannel channel = new HostileChannel(guest, tables, 0);
        BarTables bar = new BarTables(guest);
        bar.showUserd(0, channel.userd());
        bar.flush();
        guest.write(Pfifo.USERD_BASE, Pfifo.USERD_BASE_VALID.of(1));
        long rung = 0;
        for (long end = System.nanoTime() + durationNs; System.nanoTime() - end < 0; ) {
            for (int i = 0; i < DOORBELLS_AT_ONCE; i++) {
                guest.client.post(HostileGuest.BAR1, BarTables.doorbell(0), (int) rung & 1);
                rung++;
            }
            guest.client.flush();
        }
        guest.client.read(HostileGuest.BAR1, BarTables.offsetOf(0) + Userd.IB_PUT, Integer.BYTES);
        return rung;
    }

    /// Ten thousand flushes of translations in a second, each after a change.
    ///
    /// @return how many
    long flushes(long durationNs) {
        Tables tables = new Tables(guest, MemoryTarget.VRAM);
        new HostileChannel(guest, tables, 0);
        long start = System.nanoTime();
        long pauseNs = TimeUnit.SECONDS.toNanos(1) / FLUSHES_PER_SECOND * FLUSHES_AT_ONCE;
        long asked = 0;
        for (long next = start; next - start < durationNs; next += pauseNs) {
            for (int i = 0; i < FLUSHES_AT_ONCE; i++) {
                long page = HostileGuest.DATA + (asked & 1) * Userd.BYTES;
                tables.smallEntry(0, PageTableEntry.of(MemoryTarget.VRAM, page));
                tables.flush();
                asked++;
            }
            guest.client.flush();
            LockSupport.parkNanos(next + pauseNs - System.nanoTime());
        }
        guest.read(Pfifo.INTR);
        return asked;
    }
}
