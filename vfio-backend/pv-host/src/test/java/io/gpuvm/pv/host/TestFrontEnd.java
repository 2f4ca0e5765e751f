package io.gpuvm.pv.host;

import java.util.ArrayDeque;
import java.util.Queue;

/// Front end whose requests are actions of a test.
final class TestFrontEnd implements SessionFrontEnd {
    final FrontEndParts parts;

    /// Requests that have not been taken.
    final Queue<Runnable> requests = new ArrayDeque<>();

    /// Number of calls of [#close()].
    int closed;

    /// Limit of the last call of [#doWork].
    int limit;

    /// Work of each turn, before requests are taken.
    Runnable work = () -> {};

    /// Number of entries that each turn reports as failed.
    int failed;

    private int taken;

    TestFrontEnd(FrontEndParts parts) {
        this.parts = parts;
    }

    @Override
    public int doWork(int most) {
        limit = most;
        taken = 0;
        work.run();
        while (taken < most && parts.gpu().isTurnLeft() && !requests.isEmpty()) {
            taken++;
            requests.remove().run();
        }
        return taken;
    }

    @Override
    public int taken() {
        return taken;
    }

    @Override
    public int failed() {
        return failed;
    }

    @Override
    public boolean isWaiting() {
        return false;
    }

    @Override
    public void close() {
        closed++;
    }
}
