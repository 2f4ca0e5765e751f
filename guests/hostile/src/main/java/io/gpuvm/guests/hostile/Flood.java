package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Flood of legal requests.
enum Flood {
    /// Doorbells without a pause and without new entries in the ring.
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

    /// Four thousand TLB flushes per second, each after a change of the page tables.
    FLUSHES {
        @Override
        Sender on(HostileGuest guest) {
            Tables tables = new Tables(guest, MemoryTarget.VRAM);
            new HostileChannel(guest, tables, 0).requireWorking();
            long[] next = {System.nanoTime()};
            return sent -> {
                // The flood does not catch up after a pause.
                next[0] = Math.max(next[0], System.nanoTime() - PAUSE_NS) + PAUSE_NS;
                LockSupport.parkNanos(next[0] - System.nanoTime());
                for (long i = sent; i < sent + FLUSHES_AT_ONCE; i++) {
                    long page = HostileGuest.DATA + (i & 1) * Userd.BYTES;
                    // By message, so that the backend sees each change before its flush. Writes
                    // through mapped PRAMIN overtake messages, and the changes of a batch would
                    // cancel out.
                    guest.writeVram(
                            Tables.smallSlot(0), (int) PageTableEntry.of(MemoryTarget.VRAM, page));
                    tables.flush();
                }
                guest.client.flush();
                return FLUSHES_AT_ONCE;
            };
        }
    },

    /// Moves of PRAMIN between two addresses in VRAM, without a pause. If PRAMIN is mapped, each
    /// move remaps about 500 pages.
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

    /// Changes of bus mastering without a pause, by a guest whose memory consists of 20,000 pieces.
    /// Each change maps or unmaps all pieces for the GPU.
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

    /// Sender of the requests of a flood.
    interface Sender {
        /// @param sent number of requests sent by earlier calls
        /// @return number of requests sent by this call
        int send(long sent);
    }

    private static final int AT_ONCE = 64;
    private static final int MOVES_AT_ONCE = 4;
    private static final int FLUSHES_PER_SECOND = 4_000;
    private static final int FLUSHES_AT_ONCE = 20;

    /// Number of pieces that are not adjacent, so that each must be unmapped separately.
    private static final int RANGES = 20_000;

    private static final long RANGE_BYTES = 4096;
    private static final long PAUSE_NS =
            TimeUnit.SECONDS.toNanos(1) / FLUSHES_PER_SECOND * FLUSHES_AT_ONCE;

    /// Prepares the flood in a guest, and returns the sender of its requests.
    abstract Sender on(HostileGuest guest);

    /// @throws IllegalArgumentException if no flood has this name
    static Flood named(String text) {
        for (Flood each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "flood=%s, expected one of %s"
                        .formatted(text, String.join(", ", HostileRun.floodNames())));
    }

    /// Returns the name in reports.
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Sends requests in the first half of each turn.
    ///
    /// @return number of requests sent
    static long run(Sender sender, HostileGuest guest, Turns turns) throws InterruptedException {
        long sent = 0;
        for (int turn = 0; turn < turns.count(); turn++) {
            long endNs = turns.awaitHalf(turn, false);
            while (System.nanoTime() - endNs < 0) {
                sent += sender.send(sent);
            }
            guest.read(Pfifo.INTR); // The answer arrives after all posted writes.
        }
        return sent;
    }
}
