package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.RegisterTable;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VramShare;
import io.gpuvm.shadow.ShadowCounters;
import io.gpuvm.shadow.ShadowSetup;
import io.gpuvm.shadow.ShadowSpaces;
import io.gpuvm.shadow.ShadowStrategy;
import java.util.List;
import java.util.function.LongSupplier;

/// Whole GPU of one guest whose VMM maps the BARs ([MappedBars]).
///
/// The guest's accesses reach the GPU unchanged. In addition, this class observes the registers
/// that select the content of the BARs and flush their translations; the guest's page tables of the
/// BARs are those of the GPU. At each flush of a BAR's page directory, the BAR's tables are read
/// completely, because the guest's GPU may also have written them.
///
/// Confined to the virtual machine's thread.
public final class PassThroughGpu implements GpuDevice {
    /// Bus addresses that page tables can contain. The GPU refuses addresses without memory.
    private static final IovaShare ALL_ADDRESSES = new IovaShare(0, TableGeometry.VA_MASK + 1);

    private static final Exposure UNTRACKED =
            new Exposure() {
                @Override
                public void expose(long guestVram) {}

                @Override
                public void conceal(long guestVram) {}
            };

    private final PhysicalGpu gpu;
    private final VramWindow vram;
    private final GuestRam ram = new GuestRam();
    private final Mmu mmu;
    private final GuestDma dma;
    private final ShadowSpaces spaces;
    private final MappedBars bars;
    private final GuestLog log;
    private final RegisterTable observed;
    private int vspace;

    /// @param vm name of the virtual machine, for logs
    /// @param gpu GPU in power-on state; closed by the caller, after this object
    /// @param mapping parts of the BARs that the VMM may map
    /// @param clockNs monotonic clock
    public PassThroughGpu(String vm, PhysicalGpu gpu, DirectMapping mapping, LongSupplier clockNs) {
        this.gpu = gpu;
        VramShare all = new VramShare(0, gpu.vramBytes());
        log = new GuestLog(vm, all);
        vram = gpu.openWindow(all.bytes());
        mmu = new Mmu(new PhysicalMemory(vram.pages(), ram));
        dma = new GuestDma(ram, gpu, mmu);
        spaces =
                new ShadowSpaces(
                        new ShadowSetup(
                                vm,
                                mmu,
                                all,
                                ALL_ADDRESSES,
                                null,
                                ShadowStrategy.NAIVE,
                                new ShadowCounters(),
                                clockNs));
        bars =
                new MappedBars(
                        vm,
                        mapping,
                        gpu.identity(),
                        all,
                        new OwnWindows(gpu),
                        UNTRACKED,
                        spaces,
                        rom(gpu));
        observed =
                RegisterTable.builder(new UndeclaredAccesses((_, _) -> {}))
                        .onWrite(Pbus.PMEM, this::movePramin)
                        .onWrite(Pbus.BAR1, bars::controlBar1)
                        .onWrite(Pbus.BAR3, bars::controlBar3)
                        .onWrite(Pffb.VM_CFG, this::chooseBigPages)
                        .onWrite(Pffb.VM_TLB_FLUSH_VSPACE, word -> vspace = word)
                        .onWrite(Pffb.VM_TLB_FLUSH_TRIGGER, word -> spaces.flush(vspace, word))
                        .onWrite(Pfifo.USERD_BASE, this::placeUserd)
                        .build();
    }

    /// Returns the parts of the BARs that the guest's VMM may map.
    public MappableBars mappable() {
        return bars.mappable();
    }

    /// Returns the costs of direct mapping. Any thread.
    public MappingCounters mappingCounters() {
        return bars.counters();
    }

    @Override
    public PciIdentity identity() {
        return gpu.identity();
    }

    @Override
    public long vramBytes() {
        return gpu.vramBytes();
    }

    @Override
    public long read(Bar bar, long offset, int width) {
        return gpu.read(bar, offset, width);
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {
        gpu.write(bar, offset, width, value);
        if (bar == Bar.BAR0 && observed.declares((int) offset, width)) {
            observed.write((int) offset, width, value);
            bars.settle();
        }
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return gpu.iovaRanges();
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        dma.mapDma(mapping);
    }

    @Override
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        dma.mapDma(mappings, refusals);
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        dma.unmapDma(iova, bytes);
    }

    @Override
    public void unmapDma(List<DmaRange> ranges) {
        dma.unmapDma(ranges);
    }

    @Override
    public void connectInterrupt(InterruptKind kind, int eventDescriptor) {
        gpu.connectInterrupt(kind, eventDescriptor);
    }

    @Override
    public void disconnectInterrupt() {
        gpu.disconnectInterrupt();
    }

    @Override
    public void maskInterrupt() {
        gpu.maskInterrupt();
    }

    @Override
    public void unmaskInterrupt() {
        gpu.unmaskInterrupt();
    }

    @Override
    public void reset() {
        gpu.reset();
        bars.reset();
        vspace = 0;
        chooseBigPages(0);
        movePramin(0);
        bars.settle();
    }

    /// Releases the resources of this object; the GPU remains open.
    @Override
    public void close() {
        spaces.close();
        ram.close();
        vram.close();
    }

    private void movePramin(int word) {
        bars.movePramin(Pbus.PMEM_VRAM.bytes(Integer.toUnsignedLong(word)));
    }

    private void chooseBigPages(int word) {
        mmu.bigPagesOf64KiB(Pffb.VM_CFG_BIG_PAGES_64K.isSet(word));
        spaces.geometryChanged();
    }

    private void placeUserd(int word) {
        long userd = Pfifo.USERD_BASE_ADDRESS.bytes(Integer.toUnsignedLong(word));
        if (Pfifo.USERD_BASE_VALID.isSet(word) && bars.hidesDoorbells(userd)) {
            log.hiddenDoorbells(userd);
        }
    }

    private static byte[] rom(PhysicalGpu gpu) {
        byte[] rom = new byte[Math.toIntExact(gpu.identity().bytesOf(Bar.ROM))];
        for (int i = 0; i < rom.length; i++) {
            rom[i] = (byte) gpu.read(Bar.ROM, i, Byte.BYTES);
        }
        return rom;
    }
}
