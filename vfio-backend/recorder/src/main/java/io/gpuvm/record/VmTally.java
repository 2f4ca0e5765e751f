package io.gpuvm.record;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Statistics of one virtual machine's records, updated record by record. Confined to one thread.
final class VmTally {
    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /// Sums of the accesses to one region.
    private static final class Sum {
        long reads;
        long writes;
        long readBytes;
        long writtenBytes;
    }

    private final RecordedVm vm;
    private final Map<RecordedRegion, Sum> regions = new EnumMap<>(RecordedRegion.class);

    /// Submission time of the waiting command, by channel.
    private final Map<Integer, Long> waiting = new HashMap<>();

    private boolean begun;
    private long firstNs;
    private long lastNs;
    private long records;
    private long lost;
    private long connections;
    private long messages;
    private long refused;
    private long doorbells;
    private long memoryBytes;
    private long memoryMissingBytes;
    private boolean connected;
    private long lastMessageNs;
    private long gapNs;
    private long gapAtNs;
    private long submitted;
    private long started;
    private long withdrawn;
    private long completed;
    private long usedNs;
    private long waitNs;

    VmTally(RecordedVm vm) {
        this.vm = vm;
    }

    void add(RecordView record) {
        records++;
        if (!begun) {
            begun = true;
            firstNs = record.timeNs();
        }
        lastNs = record.timeNs();
        switch (record.kind()) {
            case CONNECT -> {
                connections++;
                connected = true;
                lastMessageNs = record.timeNs();
            }
            case DISCONNECT -> {
                onMessage(record);
                messages--; // not a message, but ends the gap before it
                connected = false;
            }
            case READ, WRITE -> onAccess(record);
            case DMA_MAP, DMA_UNMAP, SET_IRQS, RESET, QUERY -> onMessage(record);
            case REFUSED -> {
                onMessage(record);
                refused++;
            }
            case DOORBELL -> doorbells++;
            case MEMORY -> memoryBytes += record.dataBytes();
            case MEMORY_CUT -> memoryMissingBytes += record.count();
            case LOST -> lost += record.count();
            case SUBMITTED -> {
                submitted++;
                waiting.put(record.channel(), record.timeNs());
            }
            case STARTED -> onStarted(record);
            case COMPLETED -> {
                completed++;
                usedNs += record.usedNs();
            }
            case WITHDRAWN -> {
                withdrawn++;
                waiting.remove(record.channel());
            }
            case CHARGED -> usedNs += record.usedNs();
            case SHARE -> {
                // A share is not an event of the guest.
            }
            case BEGIN, END, POLICY -> {
                // Records of the recording, not of a virtual machine.
            }
        }
    }

    private void onAccess(RecordView record) {
        onMessage(record);
        RecordedRegion region = RecordedRegion.of(record.region(), record.offset());
        Sum sum = regions.computeIfAbsent(region, _ -> new Sum());
        if (record.kind() == RecordKind.READ) {
            sum.reads++;
            sum.readBytes += record.dataBytes();
        } else {
            sum.writes++;
            sum.writtenBytes += record.dataBytes();
        }
    }

    private void onMessage(RecordView record) {
        messages++;
        long gap = record.timeNs() - lastMessageNs;
        if (connected && gap > gapNs) {
            gapNs = gap;
            gapAtNs = lastMessageNs - firstNs;
        }
        lastMessageNs = record.timeNs();
    }

    private void onStarted(RecordView record) {
        started++;
        Long since = waiting.remove(record.channel());
        if (since != null) {
            waitNs = Math.max(waitNs, record.timeNs() - since);
        }
    }

    /// @param commands whether the recording contains commands
    RecordStats.Vm result(boolean commands) {
        double seconds = seconds(lastNs - firstNs);
        Map<RecordedRegion, RecordStats.Accesses> accesses = new EnumMap<>(RecordedRegion.class);
        regions.forEach((region, sum) -> accesses.put(region, accessesOf(sum, seconds)));
        return new RecordStats.Vm(
                vm.name(),
                vm.mode(),
                vm.vramBytes(),
                seconds,
                records,
                lost,
                connections,
                messages,
                refused,
                accesses,
                doorbells,
                memoryBytes,
                memoryMissingBytes,
                seconds(gapNs),
                seconds(gapAtNs),
                commands
                        ? new RecordStats.Commands(
                                submitted,
                                started,
                                withdrawn,
                                completed,
                                seconds(usedNs),
                                seconds(waitNs))
                        : null);
    }

    private static RecordStats.Accesses accessesOf(Sum sum, double seconds) {
        return new RecordStats.Accesses(
                sum.reads,
                sum.writes,
                sum.readBytes,
                sum.writtenBytes,
                seconds > 0 ? (sum.reads + sum.writes) / seconds : 0);
    }

    static double seconds(long ns) {
        return ns / NS_PER_SECOND;
    }
}
