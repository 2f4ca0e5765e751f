package io.gpuvm.daemon;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.Recorder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Flight recorder and its thread. The thread polls a thousand times per second, long before unread
/// records need much memory. Other threads do not wake it, and wait for it only briefly.
final class RecorderThread implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecorderThread.class);
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final Recorder recorder;
    private final RecordLevel level;
    private final AgentThread thread;

    RecorderThread(Recorder recorder, RecordLevel level) {
        this.recorder = recorder;
        this.level = level;
        thread =
                new AgentThread(
                        this, new Parking(new ThreadWait()), AgentThread.NO_SPIN, this::onFailure);
    }

    Recorder recorder() {
        return recorder;
    }

    /// Returns whether commands are also recorded.
    boolean recordsCommands() {
        return level == RecordLevel.COMMANDS;
    }

    void start() {
        thread.start();
    }

    /// Completes the recording. Called after all threads that write records have ended.
    @Override
    public void close() {
        if (thread.end(JOIN_LIMIT)) {
            recorder.close();
        } else {
            LOG.error("the recorder did not stop; the recording is incomplete");
        }
    }

    @Override
    public int doWork() {
        return recorder.doWork();
    }

    /// Returns true: threads that write records do not wake this thread.
    @Override
    public boolean mayPark() {
        return true;
    }

    @Override
    public long nanosUntilWork() {
        return NAP_NS;
    }

    @Override
    public String roleName() {
        return "gpuvm-recorder";
    }

    private void onFailure(Throwable error) {
        LOG.error("the recorder stopped: internal error; guests are not affected", error);
        recorder.stop();
    }
}
