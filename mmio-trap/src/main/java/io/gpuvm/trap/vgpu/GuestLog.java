package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VramShare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is logged of a guest that looks where nothing is: the first time of each sort, for a guest
/// can do it as often as it likes. Confined to the virtual machine's thread.
final class GuestLog {
    private static final Logger LOG = LoggerFactory.getLogger(GuestLog.class);

    private final String vm;
    private final VramShare share;
    private boolean undeclared;
    private boolean absent;
    private boolean hiddenDoorbells;

    GuestLog(String vm, VramShare share) {
        this.vm = vm;
        this.share = share;
    }

    /// The model lacks a register.
    ///
    /// @param access what [UndeclaredAccesses] says of it
    void undeclared(String access) {
        if (!undeclared) {
            undeclared = true;
            LOG.info("{}: {}; the summary will have them all", vm, access);
        }
    }

    /// An access to memory that is not the guest's, or nobody's.
    void absent(MemoryTarget target, long guestAddress) {
        if (!absent) {
            absent = true;
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
        if (!hiddenDoorbells) {
            hiddenDoorbells = true;
            LOG.warn(
                    "{}: USERD at 0x{} of BAR1, limit=0x{}: its doorbells are not heard there; map=bar3+pramin would do",
                    vm,
                    Long.toHexString(userd),
                    Long.toHexString(GuestWindows.LAST_USERD));
        }
    }
}
