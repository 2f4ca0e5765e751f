package io.gpuvm.bench.sched;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.driver.FifoControl;

/// Unshared GPU with one channel, whose doorbell is rung immediately.
final class DirectGpu implements AutoCloseable {
    private static final long RUNLIST_IOVA = 0x70_0000_0000L;
    private static final long CHANNEL_IOVA = 0x60_0000_0000L;
    private static final int CHANNEL = 0;

    private final BenchMemory runlist;
    private final BenchMemory memory;
    private final FifoControl fifo;
    private final CommandChannel channel;

    /// @param gpu GPU at power-on state
    /// @param copies number of copies per command, as in [CommandChannel]
    DirectGpu(PhysicalGpu gpu, int copies) {
        runlist = new BenchMemory(gpu, RUNLIST_IOVA, FifoControl.RUNLIST_BYTES);
        memory = new BenchMemory(gpu, CHANNEL_IOVA, CommandChannel.BYTES);
        channel = new CommandChannel(memory.segment(), CHANNEL_IOVA, copies);
        fifo = new FifoControl(gpu, runlist.segment(), RUNLIST_IOVA);
        fifo.bringUp();
        fifo.openDoorbell(CHANNEL, channel.userdIova());
        fifo.bind(CHANNEL, channel.instanceIova());
        fifo.start(CHANNEL);
        fifo.runlist(new int[] {CHANNEL}, 1);
    }

    /// Runs one command.
    ///
    /// @param turn runs the GPU, or yields to other threads
    /// @return nanoseconds until this thread detects the completion
    long run(Runnable turn) {
        int put = channel.submit();
        long startNs = System.nanoTime();
        fifo.ring(CHANNEL, put);
        while (!channel.isDone()) {
            turn.run();
        }
        return System.nanoTime() - startNs;
    }

    /// Runs one command while this thread sleeps.
    ///
    /// @param rest notified when the GPU has become idle
    /// @return time until the GPU has become idle, in nanoseconds
    long run(Ending rest) {
        int put = channel.submit();
        rest.expect();
        long startNs = System.nanoTime();
        fifo.ring(CHANNEL, put);
        return rest.await() - startNs;
    }

    @Override
    public void close() {
        fifo.close();
        memory.close();
        runlist.close();
    }
}
