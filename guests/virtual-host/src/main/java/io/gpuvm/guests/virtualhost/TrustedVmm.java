package io.gpuvm.guests.virtualhost;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;

/// Program inside the virtual host in the role of a VMM that is trusted with the card. It maps BAR3
/// through the backend's descriptor, and checks that the mapping and messages access the same VRAM
/// of the guest.
///
/// Arguments: socket of a virtual machine with `map=bar3,trust-vmm=yes`, and length of its VRAM in
/// bytes. Exit status 0 if all checks pass.
///
/// ```text
///  VRAM 01000  instance block of BAR3
///       10000  directory
///       20000  table of small pages
///       80000  data shown in BAR3
/// ```
final class TrustedVmm implements AutoCloseable {
    private static final VarHandle VALUE = ValueLayout.JAVA_INT.varHandle();

    /// Number of successive clients. The second client must find no data of the first.
    private static final int CLIENTS = 2;

    private static final int BAR0 = 0;
    private static final int BAR3 = 3;
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    private static final long INSTANCE = 0x1000;
    private static final long DIRECTORY = 0x10000;
    private static final long TABLE = 0x20000;
    private static final long DATA = 0x80000;
    private static final long OTHER_DATA = DATA + PAGE;

    private static final int SHOWS_DATA = 5;
    private static final int SHOWS_TABLE = 6;
    private static final int SHOWS_OTHER = 7;
    private static final int SHOWS_NEIGHBOUR = 8;
    private static final int SHOWS_NOTHING = 9;
    private static final int MARK = 0x5eed0000;

    private final VfioUserClient client;
    private final RegionMap region;
    private final long vramBytes;
    private MappedMemory mapping;
    private MemorySegment bar3;
    private boolean passed = true;

    private TrustedVmm(Path socket, long vramBytes) {
        this.vramBytes = vramBytes;
        client = new VfioUserClient(socket).negotiate();
        region = client.regionMap(BAR3);
    }

    public static void main(String[] args) {
        boolean passed = true;
        for (int client = 0; client < CLIENTS; client++) {
            try (TrustedVmm vmm = new TrustedVmm(Path.of(args[0]), Long.parseLong(args[1]))) {
                passed &= vmm.run();
            }
        }
        System.exit(passed ? 0 : 1);
    }

    private boolean run() {
        List<RegionMap.Area> whole = List.of(new RegionMap.Area(0, region.bytes()));
        check("the descriptor of BAR3 covers the whole BAR", whole.equals(region.areas()));
        if (!passed) {
            return false;
        }
        mapping = region.map(region.areas().getFirst());
        bar3 = mapping.segment();
        post(Pbus.PMEM, Pbus.PMEM_VRAM.of(0));
        leftovers();
        bind();
        bothWays();
        tablesUnseen();
        notItsOwn();
        reset();
        return passed;
    }

    private void leftovers() {
        check("VRAM is empty", pramin(DATA) == 0 && pramin(OTHER_DATA) == 0);
        check("unmapped pages read 0", mapped(SHOWS_NOTHING, 0) == 0);
    }

    private void bind() {
        MemorySegment block = MemorySegment.ofArray(new long[InstanceBlock.BYTES / Long.BYTES]);
        new InstanceBlock()
                .wrap(block, 0)
                .directory(MemoryTarget.VRAM, DIRECTORY)
                .limit(TableGeometry.VA_MASK);
        for (int at = 0; at < InstanceBlock.BYTES; at += Integer.BYTES) {
            int word = block.get(ValueLayout.JAVA_INT, at);
            if (word != 0) {
                pramin(INSTANCE + at, word);
            }
        }
        pramin(
                DIRECTORY,
                PageDirectoryEntry.withSmallTable(
                        PageDirectoryEntry.EMPTY, MemoryTarget.VRAM, TABLE));
        show(SHOWS_DATA, DATA);
        show(SHOWS_TABLE, TABLE);
        show(SHOWS_NEIGHBOUR, vramBytes);
        post(
                Pbus.BAR3,
                (int) Pbus.BAR_INSTANCE.ofBytes(INSTANCE)
                        | Pbus.BAR_TARGET.of(MemoryTarget.VRAM.pointerCode())
                        | Pbus.BAR_ENABLE.mask());
    }

    private void bothWays() {
        pramin(DATA, MARK + 1);
        check(
                "a write through PRAMIN is visible in the mapping",
                pramin(DATA) == MARK + 1 && mapped(SHOWS_DATA, 0) == MARK + 1);
        map(SHOWS_DATA, 4, MARK + 2);
        check("a write to the mapping is visible in PRAMIN", pramin(DATA + 4) == MARK + 2);
        check("a write to the mapping is visible by message", trapped(SHOWS_DATA, 4) == MARK + 2);
        client.post(BAR3, SHOWS_DATA * PAGE + 8, MARK + 3);
        check("a BAR3 message is visible in PRAMIN", pramin(DATA + 8) == MARK + 3);
        check("a BAR3 message is visible in the mapping", mapped(SHOWS_DATA, 8) == MARK + 3);
    }

    /// Writes BAR3's page table through BAR3, as a driver does.
    private void tablesUnseen() {
        pramin(OTHER_DATA, MARK + 4);
        long entry = PageTableEntry.of(MemoryTarget.VRAM, OTHER_DATA);
        int slot = SHOWS_OTHER * PageTableEntry.BYTES;
        map(SHOWS_TABLE, slot, (int) entry);
        map(SHOWS_TABLE, slot + Integer.BYTES, (int) (entry >>> Integer.SIZE));
        post(
                Pffb.VM_TLB_FLUSH_VSPACE,
                (int) Pffb.VM_TLB_FLUSH_VSPACE_ADDRESS.ofBytes(DIRECTORY)
                        | Pffb.VM_TLB_FLUSH_VSPACE_TARGET.of(MemoryTarget.VRAM.pointerCode()));
        post(
                Pffb.VM_TLB_FLUSH_TRIGGER,
                Pffb.VM_TLB_FLUSH_TRIGGER_BUSY.mask() | Pffb.VM_TLB_FLUSH_ALL_PAGES.mask());
        // The answer arrives after the flush.
        pramin(OTHER_DATA);
        check("an entry written to the mapping is effective", mapped(SHOWS_OTHER, 0) == MARK + 4);
    }

    /// Accesses pages without an entry, and pages whose entry has an address of foreign VRAM.
    private void notItsOwn() {
        map(SHOWS_NOTHING, 0, MARK + 5);
        check("a write to an unmapped page changes no VRAM", pramin(DATA) == MARK + 1);
        check(
                "an entry beyond the VRAM maps nothing",
                mapped(SHOWS_NEIGHBOUR, 0) == mapped(SHOWS_NOTHING, 0));
    }

    private void reset() {
        client.reset();
        post(Pbus.PMEM, Pbus.PMEM_VRAM.of(0));
        check("VRAM is empty after a reset", pramin(DATA) == 0);
        map(SHOWS_DATA, 0, MARK + 6);
        check("VRAM is unmapped after a reset", pramin(DATA) == 0);
    }

    /// Writes an entry of BAR3's page table, by message.
    private void show(int page, long vram) {
        pramin(
                TABLE + (long) page * PageTableEntry.BYTES,
                PageTableEntry.of(MemoryTarget.VRAM, vram));
    }

    private void pramin(long vram, long value) {
        pramin(vram, (int) value);
        pramin(vram + Integer.BYTES, (int) (value >>> Integer.SIZE));
    }

    private void pramin(long vram, int value) {
        client.post(BAR0, Pramin.WINDOW.first() + vram, value);
    }

    /// Reads VRAM after all posted writes have completed.
    private int pramin(long vram) {
        return (int) client.read(BAR0, Pramin.WINDOW.first() + vram, Integer.BYTES);
    }

    private int trapped(int page, int offset) {
        return (int) client.read(BAR3, page * PAGE + offset, Integer.BYTES);
    }

    private int mapped(int page, int offset) {
        return (int) VALUE.getVolatile(bar3, page * PAGE + offset);
    }

    private void map(int page, int offset, int value) {
        VALUE.setVolatile(bar3, page * PAGE + offset, value);
    }

    private void post(Register register, int value) {
        client.post(BAR0, register.offset(), value);
    }

    private void check(String text, boolean ok) {
        passed &= ok;
        System.out.printf("@gpuvm {\"event\":\"check\",\"ok\":%b,\"text\":\"%s\"}%n", ok, text);
    }

    @Override
    public void close() {
        if (mapping != null) {
            mapping.close();
        }
        region.close();
        client.close();
    }
}
