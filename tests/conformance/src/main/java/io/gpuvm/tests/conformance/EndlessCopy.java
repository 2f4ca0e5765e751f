package io.gpuvm.tests.conformance;

/// A channel whose M2MF copies one page of host memory over and over. That it goes on shows when
/// something new arrives.
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

    /// Starts one on a channel, which may be runnable and listed or not.
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

    /// Waits until it has copied once more.
    void awaitProgress() {
        change();
        bench.await("progress of an endless copy", this::hasCopied);
    }

    /// Puts something new where it copies from.
    void change() {
        beat++;
        bench.host().word(source, beat);
    }

    /// Whether it has copied what was put there last.
    boolean hasCopied() {
        return bench.host().word(target) == beat;
    }
}
