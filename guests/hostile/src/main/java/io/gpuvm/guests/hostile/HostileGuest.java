package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Guest without a machine: memory, and a driver that makes forbidden requests.
///
/// ```text
///  guest-physical, 32 MiB        VRAM, as the guest numbers it
///   1 MiB  tables (a Tables)      1 MiB  tables (a Tables)
///   2      channels               2      channels
///   4      data                   4      data
/// ```
///
/// The backend does not observe the guest's writes to its memory, or to VRAM through a mapped
/// PRAMIN. Confined to one thread.
final class HostileGuest implements AutoCloseable {
    static final long MIB = 1L << 20;
    static final long RAM_BYTES = 32 * MIB;
    static final long TABLES = MIB;
    static final long CHANNELS = 2 * MIB;
    static final long DATA = 4 * MIB;

    static final int BAR0 = 0;
    static final int BAR1 = 1;
    static final int BAR3 = 3;

    private static final int CONFIG = 7;

    /// Offset of the command register in the PCI configuration space.
    private static final int PCI_COMMAND = 4;

    /// Value of the command register that enables memory accesses.
    private static final short PCI_COMMAND_MEMORY = 2;

    /// Value of the command register that enables memory accesses and bus mastering.
    private static final short PCI_COMMAND_MEMORY_AND_MASTER = 6;

    private static final int READ_WRITE = 3;
    private static final long PRAMIN_BYTES = Pramin.WINDOW.end() - Pramin.WINDOW.first();

    final VfioUserClient client;
    private final MemFd file = MemFd.create("gpuvm-hostile", RAM_BYTES);
    private final MappedMemory mapping =
            MappedMemory.map(file.descriptor(), 0, RAM_BYTES, MappedMemory.Access.READ_WRITE);
    private final MemorySegment command = Arena.ofAuto().allocate(Integer.BYTES);
    private final Consumer<String> findings;

    /// Mapped parts of the BARs; null if the server offers no mapping.
    private final MappedVram mapped;

    private long window = -1;

    /// @param findings receives a text for each operation that succeeded but must fail
    HostileGuest(Path socket, Consumer<String> findings) {
        this.findings = findings;
        client = new VfioUserClient(socket).negotiate();
        mapped = MappedVram.of(client);
        client.map(file.descriptor(), 0, RAM_BYTES);
        client.post(CONFIG, PCI_COMMAND, PCI_COMMAND_MEMORY_AND_MASTER);
        write(Pmc.ENABLE, -1);
        write(Pffb.VM_CFG, 0);
    }

    /// Reports an operation that succeeded but must fail.
    void found(String text) {
        findings.accept(text);
    }

    /// Returns the guest memory, from guest-physical address 0.
    MemorySegment ram() {
        return mapping.segment();
    }

    int read(Register register) {
        return (int) client.read(BAR0, register.offset(), Register.BYTES);
    }

    void write(Register register, int value) {
        client.post(BAR0, register.offset(), value);
    }

    /// Returns the mapped parts of the guest's BARs.
    ///
    /// @throws IllegalStateException if the server offers no mapping
    MappedVram mapped() {
        if (mapped == null) {
            throw new IllegalStateException("the server offers no mapping of BAR0");
        }
        return mapped;
    }

    /// Reads 32 bits of VRAM through PRAMIN, by message.
    int readVram(long vram) {
        return (int) client.read(BAR0, Pramin.WINDOW.first() + aim(vram), Integer.BYTES);
    }

    /// Writes 32 bits of VRAM through PRAMIN, by message.
    void writeVram(long vram, int value) {
        client.post(BAR0, Pramin.WINDOW.first() + aim(vram), value);
    }

    /// Writes 64 bits of VRAM: unobserved if PRAMIN is mapped, otherwise by message.
    private void writeVram(long vram, long value) {
        if (mapped == null) {
            writeVram(vram, (int) value);
            writeVram(vram + Integer.BYTES, (int) (value >>> Integer.SIZE));
        } else {
            mapped.pramin().set(ValueLayout.JAVA_LONG, aim(vram), value);
        }
    }

    /// Writes 64 bits of VRAM or guest memory.
    void write(MemoryTarget where, long physical, long value) {
        if (where == MemoryTarget.VRAM) {
            writeVram(physical, value);
        } else {
            ram().set(ValueLayout.JAVA_LONG, physical, value);
        }
    }

    /// Points PRAMIN at VRAM.
    ///
    /// @return offset of that address in PRAMIN
    long aim(long vram) {
        long base = vram - vram % PRAMIN_BYTES;
        if (base != window) {
            window = base;
            write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(base));
            read(Pbus.PMEM); // Until the answer, the mapping shows the old VRAM.
        }
        return vram - base;
    }

    /// Enables or disables the GPU's access to guest memory, and waits until the change is in
    /// effect.
    void busMaster(boolean on) {
        command.set(
                ValueLayout.JAVA_SHORT, 0, on ? PCI_COMMAND_MEMORY_AND_MASTER : PCI_COMMAND_MEMORY);
        client.write(CONFIG, PCI_COMMAND, command, Short.BYTES);
    }

    /// Maps a part of guest memory at a second guest-physical address.
    void mapAgain(long offset, long guestPhysical, long bytes) {
        client.map(READ_WRITE, offset, guestPhysical, bytes, file.descriptor());
    }

    /// Disconnects without a message.
    @Override
    public void close() {
        client.close();
        if (mapped != null) {
            mapped.close();
        }
        mapping.close();
        file.close();
    }
}
