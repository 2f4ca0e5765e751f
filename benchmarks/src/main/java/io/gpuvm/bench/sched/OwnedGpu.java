package io.gpuvm.bench.sched;

import io.gpuvm.port.GpuRequests;
import java.lang.foreign.MemorySegment;

/// Virtual machine of a shared GPU, with a channel that the owner schedules.
final class OwnedGpu {
    private static final int CHANNEL = 0;

    private final GpuRequests requests;
    private final CommandChannel channel;

    /// @param memory arena of the virtual machine
    /// @param iova bus address of the arena
    /// @param copies number of copies per command, as in [CommandChannel]
    OwnedGpu(GpuRequests requests, MemorySegment memory, long iova, int copies) {
        this.requests = requests;
        channel = new CommandChannel(memory, iova, copies);
        requests.bind(CHANNEL, channel.instanceIova(), channel.userdIova());
        requests.run(CHANNEL, true);
        requests.runlist(new int[] {CHANNEL}, 1);
    }

    /// Runs one command.
    ///
    /// @param turn runs the GPU and the owner, or yields to other threads
    /// @return nanoseconds until the owner has detected the completion and charged the command
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

    /// Runs one command while this thread sleeps.
    ///
    /// @param charged notified when the owner has detected the completion and charged the command
    /// @return time until the owner has charged the command, in nanoseconds
    long run(Ending charged) {
        int put = channel.submit();
        charged.expect();
        long startNs = System.nanoTime();
        requests.ring(CHANNEL, put);
        return charged.await() - startNs;
    }
}
