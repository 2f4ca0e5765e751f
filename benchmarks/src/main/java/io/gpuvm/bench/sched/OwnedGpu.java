package io.gpuvm.bench.sched;

import io.gpuvm.port.GpuRequests;
import java.lang.foreign.MemorySegment;

/// One virtual machine of a GPU that is shared: its channel, of which its owner knows, and which
/// the scheduler lets run.
final class OwnedGpu {
    private static final int CHANNEL = 0;

    private final GpuRequests requests;
    private final CommandChannel channel;

    /// @param memory its arena
    /// @param iova where the GPU sees that
    /// @param copies see [CommandChannel]
    OwnedGpu(GpuRequests requests, MemorySegment memory, long iova, int copies) {
        this.requests = requests;
        channel = new CommandChannel(memory, iova, copies);
        requests.bind(CHANNEL, channel.instanceIova(), channel.userdIova());
        requests.run(CHANNEL, true);
        requests.runlist(new int[] {CHANNEL}, 1);
    }

    /// Has one command run.
    ///
    /// @param turn lets everybody work, or others
    /// @return nanoseconds until the owner has seen that it has completed, and charged it
    long run(Runnable turn) {
        int put = channel.submit();
        long chargedNs = requests.gpuTimeNs();
        long startNs = System.nanoTime();
        requests.ring(CHANNEL, put);
        while (requests.gpuTimeNs() == chargedNs) {
            turn.run();
        }
        return System.nanoTime() - startNs;
    }

    /// The same while this thread sleeps.
    ///
    /// @param charged told when the owner has seen that the command has completed, and charged it
    /// @return nanoseconds until then
    long run(Ending charged) {
        int put = channel.submit();
        charged.expect();
        long startNs = System.nanoTime();
        requests.ring(CHANNEL, put);
        return charged.await() - startNs;
    }
}
