package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Statistic;
import io.gpuvm.pv.protocol.StatisticsCommand;

/// Statistics that a guest can query about its own use of the GPU. Confined to the poller; no
/// method allocates.
final class GuestStatistics {
    private static final Statistic[] ALL = Statistic.values();

    private final GuestState state;
    private final GpuRequests requests;

    /// GPU time of the session's earlier guests, in nanoseconds.
    private final long gpuTimeBefore;

    GuestStatistics(GuestState state, GpuRequests requests) {
        this.state = state;
        this.requests = requests;
        gpuTimeBefore = requests.gpuTimeNs();
    }

    /// Writes as many statistics into the data area as fit into the range that the guest has
    /// supplied.
    void write(StatisticsCommand command, CommandOutcome outcome) {
        GuestDataArea data = state.data();
        long room = Integer.toUnsignedLong(command.bytes());
        long offset = command.offset();
        CommandStatus status = data.check(offset, Math.max(room, 1), Long.BYTES);
        if (status != CommandStatus.OK) {
            outcome.end(command, status, 0);
            return;
        }
        long done = 0;
        for (Statistic statistic : ALL) {
            if (statistic.offset() + Long.BYTES <= room) {
                data.put(offset + statistic.offset(), valueOf(statistic));
                done += Long.BYTES;
            }
        }
        outcome.end(command, CommandStatus.OK, done, 0);
    }

    private long valueOf(Statistic statistic) {
        return switch (statistic) {
            case COMMANDS -> state.counts().get(PvCounter.COMMANDS);
            case FAILED_COMMANDS -> state.counts().get(PvCounter.FAILED_COMMANDS);
            case VRAM_BYTES -> state.memory().vramBytes();
            case HANDLES -> state.memory().handles();
            case SPACES -> state.memory().spaces();
            case CHANNELS -> state.channels().open();
            case MAPPED_PAGES -> state.memory().mappedPages();
            case SUBMISSIONS -> state.counts().get(PvCounter.SUBMISSIONS);
            case GPU_TIME_NS -> requests.gpuTimeNs() - gpuTimeBefore;
        };
    }
}
