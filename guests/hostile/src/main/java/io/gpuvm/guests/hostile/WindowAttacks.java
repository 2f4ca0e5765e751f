package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.reg.Pbus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Access to VRAM beyond the guest's share, through PRAMIN and through the BARs' own page tables,
/// by message and as mapped memory.
final class WindowAttacks {
    private static final int STEPS = 256;
    private static final int NOTHING = -1;

    /// Content of the guest's own pages.
    private static final byte OURS = 0x5a;

    private final HostileGuest guest;
    private final Victim neighbour;

    WindowAttacks(HostileGuest guest, Victim neighbour) {
        this.guest = guest;
        this.neighbour = neighbour;
    }

    /// Points PRAMIN at a neighbour's VRAM, and beyond all VRAM.
    void pramin() {
        long step = neighbour.vramBytes() / STEPS & -Integer.BYTES;
        for (int i = 0; i < STEPS; i++) {
            touch(neighbour.vram() + i * step);
        }
        touch(Pbus.PMEM_VRAM.bytes(Pbus.PMEM_VRAM.mask()));
    }

    /// Maps a neighbour's VRAM in the page tables of BAR1.
    void bar1() {
        BarTables tables = new BarTables(guest, Pbus.BAR1);
        for (int i = 0; i < STEPS; i++) {
            tables.show(i, neighbour.vram() + i * (neighbour.vramBytes() / STEPS));
        }
        tables.flush();
        for (int i = 0; i < STEPS; i++) {
            long offset = BarTables.offsetOf(i);
            guest.client.post(HostileGuest.BAR1, offset, i);
            int value = (int) guest.client.read(HostileGuest.BAR1, offset, Integer.BYTES);
            if (value != NOTHING) {
                guest.found("BAR1 shows data of a neighbour, value=%#x".formatted(value));
                return;
            }
        }
    }

    /// Accesses the mapped windows, which must show only the guest's own memory or zeros, whatever
    /// addresses PRAMIN and the page tables of BAR3 contain.
    void mapped() {
        MappedVram mapped = guest.mapped();
        guest.aim(HostileGuest.DATA);
        mapped.pramin().fill(OURS);
        long step = neighbour.vramBytes() / STEPS & -HostileGuest.MIB;
        for (int i = 0; i < STEPS / 16; i++) {
            guest.aim(neighbour.vram() + i * step);
            expectOurs(mapped.pramin(), "PRAMIN");
            mapped.pramin().fill(OURS);
        }
        BarTables tables = new BarTables(guest, Pbus.BAR3);
        for (int i = 0; i < STEPS; i++) {
            tables.show(i, neighbour.vram() + i * (neighbour.vramBytes() / STEPS));
        }
        tables.flush();
        guest.read(Pbus.BAR3);
        MemorySegment pages = mapped.bar3().asSlice(0, BarTables.offsetOf(STEPS));
        expectOurs(pages, "BAR3");
        pages.fill(OURS);
        resize(mapped.bar3File().file().number());
    }

    /// Tries to truncate a window's file, which would remove memory from the backend.
    private void resize(int descriptor) {
        Path file = Path.of("/proc/self/fd/" + descriptor);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            guest.found("a window's file can be truncated");
        } catch (IOException _) {
            // Expected: the file is sealed.
        }
    }

    private void expectOurs(MemorySegment memory, String what) {
        for (long at = 0; at < memory.byteSize(); at++) {
            byte value = memory.get(ValueLayout.JAVA_BYTE, at);
            if (value != 0 && value != OURS) {
                guest.found(
                        "%s shows data of a neighbour, value=%#x, address=%#x"
                                .formatted(what, value, at));
                return;
            }
        }
    }

    private void touch(long vram) {
        guest.writeVram(vram, (int) vram);
        int value = guest.readVram(vram);
        if (value != NOTHING) {
            guest.found("PRAMIN shows foreign VRAM, value=%#x, address=%#x".formatted(value, vram));
        }
    }
}
