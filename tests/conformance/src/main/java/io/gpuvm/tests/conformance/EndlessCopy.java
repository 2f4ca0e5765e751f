package io.gpuvm.tests.conformance;

/// Channel whose M2MF copies one page of host memory repeatedly. Tests change the source and wait
/// for the change in the target.
final class EndlessCopy {
    private final Bench bench;
    private final TestChannel channel;
    private final long source;
    private final long target;
    private int beat;

    private EndlessCopy(Bench bench, TestChannel channel) {
        this.bench = bench;
        this.channel = channel;
        source = bench.allocate(Bench.PAGE_BYTES);
        target = bench.allocate(Bench.PAGE_BYTES);
    }

    /// Starts an endless copy on a channel, which need not be runnable or listed yet.
    static EndlessCopy on(Bench bench, TestChannel channel) {
        EndlessCopy copy = new EndlessCopy(bench, channel);
        channel.submit(
                new Program()
                        .copyForever(Bench.HOST_VA + copy.source, Bench.HOST_VA + copy.target));
        return copy;
    }

    TestChannel channel() {
        return channel;
    }

    /// Waits until the channel has completed another copy.
    void awaitProgress() {
        change();
        bench.await("progress of an endless copy", this::hasCopied);
    }

    /// Writes a new value to the source.
    void change() {
        beat++;
        bench.host().word(source, beat);
    }

    /// Returns whether the last value of the source has been copied.
    boolean hasCopied() {
        return bench.host().word(target) == beat;
    }
}
