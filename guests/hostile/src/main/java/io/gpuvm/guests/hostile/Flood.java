package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Requests that are all legal, but too many.
enum Flood {
    /// One doorbell after the other, without a pause, and nothing new in the ring.
    DOORBELLS {
        @Override
        Sender on(HostileGuest guest) {
            Tables tables = new Tables(guest, MemoryTarget.SYSTEM_COHERENT);
            HostileChannel channel = new HostileChannel(guest, tables, 0).requireWorking();
            BarTables bar = new BarTables(guest, Pbus.BAR1);
            bar.showUserd(0, channel.userd());
            bar.flush();
            guest.write(Pfifo.USERD_BASE, Pfifo.USERD_BASE_VALID.of(1));
            int put = channel.put();
            return _ -> {
                for (int i = 0; i < AT_ONCE; i++) {
                    guest.client.post(HostileGuest.BAR1, BarTables.doorbell(0), put);
                }
                guest.client.flush();
                return AT_ONCE;
            };
        }
    },

    /// Ten thousand flushes of translations in a second, each after a change.
    FLUSHES {
        @Override
        Sender on(HostileGuest guest) {
            Tables tables = new Tables(guest, MemoryTarget.VRAM);
            new HostileChannel(guest, tables, 0).requireWorking();
            long[] next = {System.nanoTime()};
            return sent -> {
                // After a pause it does not make up for what it missed.
                next[0] = Math.max(next[0], System.nanoTime() - PAUSE_NS) + PAUSE_NS;
                LockSupport.parkNanos(next[0] - System.nanoTime());
                for (long i = sent; i < sent + FLUSHES_AT_ONCE; i++) {
                    long page = HostileGuest.DATA + (i & 1) * Userd.BYTES;
                    tables.smallEntry(0, PageTableEntry.of(MemoryTarget.VRAM, page));
                    tables.flush();
                }
                guest.client.flush();
                return FLUSHES_AT_ONCE;
            };
        }
    },

    /// PRAMIN from one mebibyte to another and back, without a pause: where it is mapped, each time
    /// half a thousand pages move.
    MOVES {
        @Override
        Sender on(HostileGuest guest) {
            guest.mapped();
            int one = (int) Pbus.PMEM_VRAM.ofBytes(HostileGuest.TABLES);
            int other = (int) Pbus.PMEM_VRAM.ofBytes(HostileGuest.DATA);
            return _ -> {
                for (int i = 0; i < MOVES_AT_ONCE; i += 2) {
                    guest.write(Pbus.PMEM, one);
                    guest.write(Pbus.PMEM, other);
                }
                guest.client.flush();
                return MOVES_AT_ONCE;
            };
        }
    },

    /// Bus mastering on and off, without a pause, by a guest whose memory comes in twenty thousand
    /// pieces: each time all of them have to be mapped for the GPU, or taken away.
    DMA_RANGES {
        @Override
        Sender on(HostileGuest guest) {
            guest.busMaster(false);
            for (int i = 0; i < RANGES; i++) {
                long page = i % (HostileGuest.RAM_BYTES / RANGE_BYTES) * RANGE_BYTES;
                guest.mapAgain(page, HostileGuest.RAM_BYTES + 2 * i * RANGE_BYTES, RANGE_BYTES);
            }
            return sent -> {
                guest.busMaster((sent & 1) == 0);
                return 1;
            };
        }
    };

    /// Sends some of it.
    interface Sender {
        /// @param sent how many there were before
        /// @return how many these are
        int send(long sent);
    }

    private static final int AT_ONCE = 64;
    private static final int MOVES_AT_ONCE = 4;
    private static final int FLUSHES_PER_SECOND = 10_000;
    private static final int FLUSHES_AT_ONCE = 20;

    /// Pieces that touch nowhere, so that none can be taken away together with the next one.
    private static final int RANGES = 20_000;

    private static final long RANGE_BYTES = 4096;
    private static final long PAUSE_NS =
            TimeUnit.SECONDS.toNanos(1) / FLUSHES_PER_SECOND * FLUSHES_AT_ONCE;

    /// Sets everything up.
    abstract Sender on(HostileGuest guest);

    /// @throws IllegalArgumentException if there is no such flood
    static Flood named(String text) {
        for (Flood each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "flood %s is unknown (known: %s)".formatted(text, HostileRun.floodNames()));
    }

    /// As reports name it.
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Floods in the first half of each turn.
    ///
    /// @return how many requests were sent
    static long run(Sender sender, HostileGuest guest, Turns turns) throws InterruptedException {
        long sent = 0;
        for (int turn = 0; turn < turns.count(); turn++) {
            long endNs = turns.awaitHalf(turn, false);
            while (System.nanoTime() - endNs < 0) {
                sent += sender.send(sent);
            }
            guest.read(Pfifo.INTR); // all of it has been taken when this is answered
        }
        return sent;
    }
}
