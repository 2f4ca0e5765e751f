package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.shadow.CompletionInbox;
import java.util.EnumSet;
import java.util.function.LongSupplier;

/// What the host has for one guest while it is there: the shared area, sealed at its length, and
/// who wakes whom. Made and closed by the reception; waits for the GPU's owner.
final class ConnectedGuest implements AutoCloseable {
    /// The guest's data area is the first that its GPU could see.
    private static final long DATA_GUEST_PHYSICAL = 0;

    /// A batch of any size that anybody uses fits, several times over.
    private static final int SUBMISSION_ENTRIES = 1024;

    private final PvPlace place;
    private final AreaLayout layout;
    private final MemFd file;
    private final MappedMemory mapping;
    private final EventFd wakeHost;
    private final EventFd wakeGuest;
    private final PvGuest guest;

    private ConnectedGuest(
            PvPlace place,
            AreaLayout layout,
            MemFd file,
            MappedMemory mapping,
            Runnable onDropped,
            LongSupplier clockNs) {
        this.place = place;
        this.layout = layout;
        this.file = file;
        this.mapping = mapping;
        this.wakeHost = EventFd.create();
        this.wakeGuest = EventFd.create();
        SharedArea area = SharedArea.create(mapping.segment(), layout, limitsOf(place));
        guest = new PvGuest(place, area, wakeHost, wakeGuest, onDropped, clockNs);
    }

    /// Makes everything that a guest needs, and lets the GPU reach its data area.
    ///
    /// @param dataBytes length of the data area, whole pages, within the guest's quota
    /// @param onDropped told, on the poller's thread, that the poller serves the guest no more
    /// @param clockNs never runs backwards
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU's owner does not answer
    /// @throws io.gpuvm.linux.LinuxException if the kernel refuses
    static ConnectedGuest open(
            PvPlace place, long dataBytes, Runnable onDropped, LongSupplier clockNs) {
        PvQuotas quotas = place.quotas();
        AreaLayout layout =
                AreaLayout.of(
                        place.gpu().channels(),
                        SUBMISSION_ENTRIES,
                        completionEntries(quotas),
                        dataBytes);
        MemFd file = MemFd.create("gpuvm-pv-" + place.name(), layout.bytes());
        MappedMemory mapping = null;
        boolean reachable = false;
        try {
            file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            mapping =
                    MappedMemory.map(
                            file.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE);
            place.requests()
                    .mapDma(
                            new DmaMapping(
                                    file.descriptor(),
                                    layout.data(),
                                    dataBytes,
                                    DATA_GUEST_PHYSICAL,
                                    true));
            reachable = true;
            return new ConnectedGuest(place, layout, file, mapping, onDropped, clockNs);
        } catch (RuntimeException | Error e) {
            if (reachable) {
                place.requests().unmapDma(DATA_GUEST_PHYSICAL, dataBytes);
            }
            if (mapping != null) {
                mapping.close();
            }
            file.close();
            throw e;
        }
    }

    PvGuest guest() {
        return guest;
    }

    long areaBytes() {
        return layout.bytes();
    }

    /// What the guest gets, in the order of [io.gpuvm.pv.protocol.Welcome].
    int[] descriptors() {
        return new int[] {file.descriptor(), wakeHost.descriptor(), wakeGuest.descriptor()};
    }

    /// Takes everything off the GPU and zeroes what others could find, after the poller has dropped
    /// the guest: the place is as new.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU's owner does not answer; nothing
    ///   is given back then that the GPU may still use
    @Override
    public void close() {
        guest.close();
        place.requests().unmapDma(DATA_GUEST_PHYSICAL, layout.dataBytes());
        place.inbox().poll(Forgotten.ANSWERS);
        place.scrub().run();
        mapping.close();
        file.close();
        wakeHost.close();
        wakeGuest.close();
    }

    /// As many as there may be commands that are not answered yet.
    private static int completionEntries(PvQuotas quotas) {
        int unanswered = quotas.commandsInFlight() + quotas.waits() + 1;
        int entries = Integer.highestOneBit(unanswered - 1) << 1;
        return Math.clamp(entries, SUBMISSION_ENTRIES, AreaLayout.MAX_ENTRIES);
    }

    private static PvLimits limitsOf(PvPlace place) {
        PvQuotas quotas = place.quotas();
        return new PvLimits(
                place.gpu(),
                quotas.handles(),
                quotas.spaces(),
                quotas.mappedPages(),
                quotas.commandsInFlight(),
                quotas.waits());
    }

    /// Takes what was said to a guest that is gone.
    enum Forgotten implements CompletionInbox.Handler {
        ANSWERS;

        @Override
        public void onFlushed() {}

        @Override
        public void onPreempted(int channel) {}

        @Override
        public void onRunlistLoaded() {}

        @Override
        public void onNonStall(int engine) {}

        @Override
        public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {}

        @Override
        public void onPbdma(int pbdma, int channel, int interrupts, int method, int data) {}

        @Override
        public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {}

        @Override
        public void onGraphTrap(
                int channel, int interrupts, int address, int data, int code, int classId) {}

        @Override
        public void onCopyTrap(int engine, int channel, int interrupts, int error, int data) {}

        @Override
        public void onHung(int engine, int channel) {}
    }
}
