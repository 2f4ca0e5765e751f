package io.gpuvm.record;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.translation.PageWalk;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.shadow.ShadowChannel;
import io.gpuvm.trap.vgpu.GuestMemoryTap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Recorder of guest memory that the GPU's work reads and that no message contains: at a doorbell,
/// new ring entries and the push buffers that they reference; in addition, memory that the virtual
/// GPU's own units read. VRAM is not included, because messages write it.
///
/// The guest's own tables locate the rings. Since a guest can write any values to these tables, at
/// most 1 MiB is recorded per doorbell. Confined to the virtual machine's thread.
public final class PushBufferCapture implements GuestMemoryTap {
    private static final Logger LOG = LoggerFactory.getLogger(PushBufferCapture.class);

    /// Maximum number of bytes recorded at one doorbell.
    private static final long DOORBELL_LIMIT_BYTES = 1 << 20;

    /// Maximum number of index bits: see [Ramfc#ringOrder()].
    private static final int MAX_RING_ORDER = 30;

    private static final int PAGE_BYTES = RecordLayout.DATA_BYTES;

    private final String vm;
    private final VmTrack track;
    private final PhysicalMemory memory;
    private final PageWalk walk;
    private final HostSpan span = new HostSpan();
    private final Ramfc ramfc = new Ramfc();
    private final MemorySegment instance = Arena.ofAuto().allocate(InstanceBlock.BYTES, Long.BYTES);
    private final MemorySegment page = Arena.ofAuto().allocate(PAGE_BYTES, Long.BYTES);
    private long left;
    private final LogLimit cuts = LogLimit.once();

    /// @param vm name of the virtual machine, for logs
    /// @param track destination of the records
    /// @param guest MMU that reads the guest's tables
    public PushBufferCapture(String vm, VmTrack track, Mmu guest) {
        this.vm = vm;
        this.track = track;
        memory = guest.memory();
        walk = new PageWalk(guest);
    }

    @Override
    public void onRing(ShadowChannel channel, int from, int put) {
        if (track.isStopped()) {
            return;
        }
        left = DOORBELL_LIMIT_BYTES;
        if (channel.guestUserdTarget().isSystem()) {
            record(channel.guestUserdTarget(), channel.guestUserd() + Userd.IB_PUT, Integer.BYTES);
        }
        MemoryTarget target = channel.guestTarget();
        if (copy(target, channel.guestInstance(), instance, InstanceBlock.BYTES)) {
            ramfc.wrap(instance, 0);
            walk.load(target, channel.guestInstance());
            ring(channel.guestId(), from, put);
        }
        track.onDoorbell(channel.guestId(), from, put);
    }

    @Override
    public void onRead(long guestPhys, int width, long value) {
        if (!track.isStopped()) {
            page.set(RecordLayout.U64, 0, value);
            track.onMemory(guestPhys, page, 0, width);
        }
    }

    private void ring(int channel, int from, int put) {
        long gpuVa = ramfc.ringGpuVa() & -GpfifoEntry.BYTES;
        int order = Math.min(ramfc.ringOrder(), MAX_RING_ORDER);
        int mask = (1 << order) - 1;
        int entries = put - from & mask;
        long missing = 0;
        for (int i = 0; i < entries; i++) {
            long at = gpuVa + (long) (from + i & mask) * GpfifoEntry.BYTES;
            missing += capture(at, GpfifoEntry.BYTES);
            long entry = entryAt(at);
            missing += capture(GpfifoEntry.gpuVa(entry), segmentBytes(entry));
            if (left == 0) {
                missing += (long) (entries - 1 - i) * GpfifoEntry.BYTES;
                break;
            }
        }
        if (missing > 0) {
            onCut(channel, missing);
        }
    }

    private long entryAt(long gpuVa) {
        return walk.walk(gpuVa)
                ? memory.read(
                        PageTableEntry.target(walk.entry()),
                        walk.physicalAddress(gpuVa),
                        Long.BYTES,
                        span)
                : 0;
    }

    private static long segmentBytes(long entry) {
        return (long) GpfifoEntry.dwords(entry) * Integer.BYTES;
    }

    /// Records the guest memory behind a range of virtual addresses. Skips unmapped pages, at which
    /// the GPU finds no memory either.
    ///
    /// @return number of bytes beyond the limit
    private long capture(long gpuVa, long bytes) {
        long end = gpuVa + bytes;
        for (long at = gpuVa; at < end; ) {
            if (left == 0) {
                return end - at;
            }
            int length = (int) Math.min(end - at, PAGE_BYTES - (at & PAGE_BYTES - 1));
            length = (int) Math.min(length, left);
            left -= length;
            if (walk.walk(at)) {
                record(PageTableEntry.target(walk.entry()), walk.physicalAddress(at), length);
            }
            at += length;
        }
        return 0;
    }

    private void record(MemoryTarget target, long physical, int bytes) {
        if (target.isSystem() && copy(target, physical, page, bytes)) {
            track.onMemory(physical, page, 0, bytes);
        }
    }

    /// Copies guest memory, which the guest may truncate at any time.
    private boolean copy(MemoryTarget target, long physical, MemorySegment into, int bytes) {
        if (!memory.locate(target, physical, span) || span.bytes() < bytes) {
            return false;
        }
        try {
            MemorySegment.copy(span.segment(), span.offset(), into, 0, bytes);
            if (span.isFragile()) {
                PhysicalMemory.settle();
            }
            return true;
        } catch (InternalError cutOff) {
            memory.countLostAccess();
            return false;
        }
    }

    private void onCut(int channel, long missing) {
        track.onMemoryCut(channel, missing);
        if (cuts.spend()) {
            LOG.warn(
                    "{}: push buffers of a doorbell exceed the recording limit: missing={},"
                            + " limit={}",
                    vm,
                    missing,
                    DOORBELL_LIMIT_BYTES);
        }
    }
}
