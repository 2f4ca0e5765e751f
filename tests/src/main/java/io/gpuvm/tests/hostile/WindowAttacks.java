package io.gpuvm.tests.hostile;

import io.gpuvm.gf100.reg.Pbus;

/// VRAM beyond the guest's part, through PRAMIN and through the BARs' own page tables.
final class WindowAttacks {
    private static final int STEPS = 256;
    private static final int NOTHING = -1;

    private final HostileGuest guest;
    private final Neighbour neighbour;

    WindowAttacks(HostileGuest guest, Neighbour neighbour) {
        this.guest = guest;
        this.neighbour = neighbour;
    }

    /// PRAMIN pointed at a neighbour's VRAM, and beyond everybody's.
    void pramin() {
        long step = neighbour.vramBytes() / STEPS & -Integer.BYTES;
        for (int i = 0; i < STEPS; i++) {
            touch(neighbour.vram() + i * step);
        }
        touch(Pbus.PMEM_VRAM.bytes(Pbus.PMEM_VRAM.mask()));
    }

    /// BAR1 with page tables that name a neighbour's VRAM.
    void bar1() {
        BarTables tables = new BarTables(guest);
        for (int i = 0; i < STEPS; i++) {
            tables.show(i, neighbour.vram() + i * (neighbour.vramBytes() / STEPS));
        }
        tables.flush();
        for (int i = 0; i < STEPS; i++) {
            long offset = BarTables.offsetOf(i);
            guest.client.post(HostileGuest.BAR1, offset, i);
            int value = (int) guest.client.read(HostileGuest.BAR1, offset, Integer.BYTES);
            if (value != NOTHING) {
                guest.found("BAR1 shows %#x of a neighbour".formatted(value));
                return;
            }
        }
    }

    private void touch(long vram) {
        guest.writeVram(vram, (int) vram);
        int value = guest.readVram(vram);
        if (value != NOTHING) {
            guest.found("PRAMIN shows %#x at %#x".formatted(value, vram));
        }
    }
}
