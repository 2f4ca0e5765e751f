package io.gpuvm.replay;

import io.gpuvm.record.RecordCursor;
import io.gpuvm.record.RecordKind;
import io.gpuvm.record.RecordView;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recording;

/// What is known of a virtual machine's record before it is replayed.
///
/// @param vm number of the virtual machine
/// @param recorded how it was set up
/// @param records of its first connection
/// @param waits what its guest waited for
/// @param ramBytes the end of the guest memory that came with a file
record ReplayPlan(int vm, RecordedVm recorded, long records, GuestWaits waits, long ramBytes) {
    /// More than any machine has that QEMU runs as a guest here.
    private static final long MAX_RAM_BYTES = 1L << 40;

    /// Looks at a record.
    ///
    /// @param name of the virtual machine, null for the only one
    /// @throws ReplayException if it cannot be replayed
    static ReplayPlan of(Recording recording, String name) {
        int vm = recording.vmOf(name);
        RecordedVm recorded = recording.header().vms().get(vm);
        if (recorded.sentNoMessages()) {
            throw new ReplayException(
                    "%s: mode=%s, limit=passthrough or fv: of others, messages are not recorded"
                            .formatted(recorded.name(), recorded.mode()));
        }
        if (!recorded.cameByMessage()) {
            throw new ReplayException(
                    "%s: map=%s, limit=none: what went through mapped BARs was not recorded"
                            .formatted(recorded.name(), recorded.map()));
        }
        Scan scan = new Scan();
        try (RecordCursor cursor = recording.cursor()) {
            for (RecordView record; (record = cursor.next()) != null; ) {
                if (record.vm() == vm && !scan.add(record)) {
                    break;
                }
            }
        }
        scan.waits.onOther();
        if (scan.lost > 0) {
            throw new ReplayException(
                    "%s: records that are missing=%d, limit=0"
                            .formatted(recorded.name(), scan.lost));
        }
        if (scan.records == 0) {
            throw new ReplayException("%s: nobody was connected".formatted(recorded.name()));
        }
        return new ReplayPlan(vm, recorded, scan.records, scan.waits, scan.ramBytes);
    }

    /// Goes through the records of one virtual machine.
    private static final class Scan {
        final GuestWaits waits = new GuestWaits();
        long records;
        long ramBytes;
        long lost;

        /// @return false if what is replayed ends before
        boolean add(RecordView record) {
            switch (record.kind()) {
                case DISCONNECT -> {
                    return false;
                }
                case READ -> waits.onRead(record);
                case WRITE, RESET -> waits.onOther();
                case DMA_MAP -> onMap(record);
                case LOST -> lost += record.count();
                default -> {
                    // nothing that a wait would notice
                }
            }
            records += record.kind() == RecordKind.LOST ? 0 : 1;
            return true;
        }

        private void onMap(RecordView record) {
            if (!record.shared()) {
                return;
            }
            long end = record.guestPhys() + record.rangeBytes();
            if (end < 0 || end > MAX_RAM_BYTES || record.guestPhys() < 0) {
                throw new ReplayException(
                        "guest memory=%#x bytes=%#x, limit=%#x"
                                .formatted(record.guestPhys(), record.rangeBytes(), MAX_RAM_BYTES));
            }
            ramBytes = Math.max(ramBytes, end);
        }
    }
}
