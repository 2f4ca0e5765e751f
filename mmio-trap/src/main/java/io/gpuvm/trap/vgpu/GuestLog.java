package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.VramShare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is logged of a guest that looks where nothing is: the first time of each sort, for a guest
/// can do it as often as it likes. Confined to the virtual machine's thread.
final class GuestLog {
    private static final Logger LOG = LoggerFactory.getLogger(GuestLog.class);

    private final String vm;
    private final VramShare share;
    private final LogLimit undeclared = LogLimit.once();
    private final LogLimit absent = LogLimit.once();
    private final LogLimit hiddenDoorbells = LogLimit.once();

    GuestLog(String vm, VramShare share) {
        this.vm = vm;
        this.share = share;
    }

    /// The model lacks a register.
    ///
    /// @param written whether it was written, not read
    void undeclared(int offset, boolean written) {
        if (undeclared.spend()) {
            LOG.info(
                    "{}: {}; the summary will have them all",
                    vm,
                    UndeclaredAccesses.text(offset, written));
        }
    }

    /// An access to memory that is not the guest's, or nobody's.
    void absent(MemoryTarget target, long guestAddress) {
        if (absent.spend()) {
            LOG.warn(
                    "{}: {} {}, limit={}: nothing there",
                    vm,
                    target,
                    Long.toHexString(guestAddress),
                    share);
        }
    }

    /// Doorbells where the guest's writes go unseen.
    void hiddenDoorbells(long userd) {
        if (hiddenDoorbells.spend()) {
            LOG.warn(
                    "{}: USERD at 0x{} of BAR1, limit=0x{}: its doorbells are not heard there; map=bar3+pramin would do",
                    vm,
                    Long.toHexString(userd),
                    Long.toHexString(GuestWindows.LAST_USERD));
        }
    }
}
