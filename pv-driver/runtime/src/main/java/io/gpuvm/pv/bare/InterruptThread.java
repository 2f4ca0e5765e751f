package io.gpuvm.pv.bare;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that handles the GPU's interrupts; sleeps while none is pending.
final class InterruptThread implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptThread.class);
    private static final int INTERRUPT = 0;
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final EventFd interrupt = EventFd.create();
    private final EventWait events = new EventWait(1);
    private final Runnable handler;
    private final AgentThread thread;
    private boolean signalled;

    /// @param handler handler of all pending interrupts
    /// @param onEnd called on this thread if the handler fails, after which the thread ends
    InterruptThread(Runnable handler, Consumer<Throwable> onEnd) {
        this.handler = handler;
        events.set(INTERRUPT, interrupt.descriptor());
        thread =
                new AgentThread(
                                this,
                                new Parking(events),
                                AgentThread.NO_SPIN,
                                error -> {
                                    LOG.error("GPU interrupts are no longer handled", error);
                                    onEnd.accept(error);
                                })
                        .daemon();
    }

    /// Returns the event descriptor that the GPU signals; valid until [#close()].
    int descriptor() {
        return interrupt.descriptor();
    }

    void start() {
        thread.start();
    }

    /// Ends the thread. The caller must not hold a lock that the handler needs.
    void end() {
        thread.end(JOIN_LIMIT);
    }

    /// Closes the descriptors, after [#end()] and after the GPU's interrupt has been disconnected.
    @Override
    public void close() {
        events.close();
        interrupt.close();
    }

    @Override
    public int doWork() {
        if (!signalled) {
            return 0;
        }
        signalled = false;
        if (interrupt.drain() > 0) {
            handler.run();
        }
        return 1;
    }

    /// Returns true, because an interrupt wakes the thread.
    @Override
    public boolean mayPark() {
        return true;
    }

    @Override
    public void onAwake(boolean slept) {
        signalled = slept && events.ready(INTERRUPT);
    }

    @Override
    public String roleName() {
        return "gpuvm-native";
    }
}
