package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.VramShare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Log of a guest's accesses to absent targets. Only the first access of each kind is logged,
/// because a guest can repeat accesses without limit. Confined to the virtual machine's thread.
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

    /// Logs an access to a register that the model lacks.
    ///
    /// @param written whether the access was a write
    void undeclared(int offset, boolean written) {
        if (undeclared.spend()) {
            LOG.info(
                    "{}: {}; the summary lists all such accesses",
                    vm,
                    UndeclaredAccesses.text(offset, written));
        }
    }

    /// Logs an access to memory that is absent or does not belong to the guest.
    void absent(MemoryTarget target, long guestAddress) {
        if (absent.spend()) {
            LOG.warn(
                    "{}: access outside the guest's memory, {} address=0x{}, limit=0x{} in VRAM",
                    vm,
                    target,
                    Long.toHexString(guestAddress),
                    Long.toHexString(share.bytes()));
        }
    }

    /// Logs that the doorbells are at addresses at which the guest's writes are not trapped.
    void hiddenDoorbells(long userd) {
        if (hiddenDoorbells.spend()) {
            LOG.warn(
                    "{}: doorbells in mapped memory are not trapped, USERD=0x{} in BAR1,"
                            + " limit=0x{}; use map=bar3+pramin",
                    vm,
                    Long.toHexString(userd),
                    Long.toHexString(GuestWindows.LAST_USERD));
        }
    }
}
