package io.gpuvm.bench.sched;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.driver.FifoControl;

/// A GPU that nobody shares: one channel, whose doorbell is rung at once.
final class DirectGpu implements AutoCloseable {
    private static final long RUNLIST_IOVA = 0x70_0000_0000L;
    private static final long CHANNEL_IOVA = 0x60_0000_0000L;
    private static final int CHANNEL = 0;

    private final BenchMemory runlist;
    private final BenchMemory memory;
    private final FifoControl fifo;
    private final CommandChannel channel;

    /// @param gpu at power-on state
    /// @param copies see [CommandChannel]
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

    /// Has one command run.
    ///
    /// @param turn lets the GPU work, or others
    /// @return nanoseconds until it is seen to be done
    long run(Runnable turn) {
        int put = channel.submit();
        long startNs = System.nanoTime();
        fifo.ring(CHANNEL, put);
        while (!channel.isDone()) {
            turn.run();
        }
        return System.nanoTime() - startNs;
    }

    /// Has one command run while this thread sleeps.
    ///
    /// @param rest told when the GPU has nothing to do any more
    /// @return nanoseconds until then
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
