package io.gpuvm.replay;

import io.gpuvm.record.RecordCursor;
import io.gpuvm.record.RecordKind;
import io.gpuvm.record.RecordView;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recording;

/// Properties of a virtual machine's records that a replay needs in advance.
///
/// @param vm number of the virtual machine
/// @param recorded configuration of the virtual machine
/// @param records number of records in its first connection
/// @param waits waits of its guest
/// @param ramBytes end of the guest memory that was mapped from a file
record ReplayPlan(int vm, RecordedVm recorded, long records, GuestWaits waits, long ramBytes) {
    /// Maximum end of the guest memory, more than any tested QEMU guest has.
    private static final long MAX_RAM_BYTES = 1L << 40;

    /// Scans a recording.
    ///
    /// @param name name of the virtual machine, null for the only virtual machine
    /// @throws ReplayException if the recording cannot be replayed
    static ReplayPlan of(Recording recording, String name) {
        int vm = recording.vmOf(name);
        RecordedVm recorded = recording.header().vms().get(vm);
        if (recorded.sentNoMessages()) {
            throw new ReplayException(
                    "%s: mode=%s, expected passthrough or fv: other modes record no messages"
                            .formatted(recorded.name(), recorded.mode()));
        }
        if (!recorded.cameByMessage()) {
            throw new ReplayException(
                    "%s: map=%s, expected none: accesses through mapped BARs are not recorded"
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
                    "%s: missing records=%d, limit=0".formatted(recorded.name(), scan.lost));
        }
        if (scan.records == 0) {
            throw new ReplayException("%s: no client was connected".formatted(recorded.name()));
        }
        return new ReplayPlan(vm, recorded, scan.records, scan.waits, scan.ramBytes);
    }

    /// Scan of one virtual machine's records.
    private static final class Scan {
        final GuestWaits waits = new GuestWaits();
        long records;
        long ramBytes;
        long lost;

        /// @return false if the replayed records end before this record
        boolean add(RecordView record) {
            switch (record.kind()) {
                case DISCONNECT -> {
                    return false;
                }
                case READ -> waits.onRead(record);
                case WRITE -> waits.onWrite(record);
                case RESET -> waits.onOther();
                case DMA_MAP -> onMap(record);
                case LOST -> lost += record.count();
                default -> {
                    // Irrelevant for waits.
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
                        "guest memory address=%#x bytes=%#x, limit=%#x"
                                .formatted(record.guestPhys(), record.rangeBytes(), MAX_RAM_BYTES));
            }
            ramBytes = Math.max(ramBytes, end);
        }
    }
}
