package io.gpuvm.daemon;

import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.Recorder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The flight recorder and its thread. Nobody waits for it for long, and nobody wakes it: it looks
/// a thousand times a second, long before what it has not taken yet needs much room.
final class RecorderThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecorderThread.class);
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);

    private final Recorder recorder;
    private final RecordLevel level;
    private final Thread thread;
    private volatile boolean running = true;

    RecorderThread(Recorder recorder, RecordLevel level) {
        this.recorder = recorder;
        this.level = level;
        thread = Thread.ofPlatform().name("gpuvm-recorder").unstarted(this::run);
    }

    Recorder recorder() {
        return recorder;
    }

    /// Whether commands are recorded, too.
    boolean recordsCommands() {
        return level == RecordLevel.COMMANDS;
    }

    void start() {
        thread.start();
    }

    /// After those who make records have ended.
    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(JOIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.error("the recorder does not end; the recording has no end");
        } else {
            recorder.close();
        }
    }

    private void run() {
        try {
            while (running) {
                if (recorder.doWork() == 0) {
                    LockSupport.parkNanos(NAP_NS);
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("the recorder ended by an internal error; everything else goes on", e);
            recorder.stop();
        }
    }
}
