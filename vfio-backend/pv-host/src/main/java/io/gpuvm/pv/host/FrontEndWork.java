package io.gpuvm.pv.host;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.SharedArea;

/// Execution of the requests of a client by a front end. Confined to the poller.
final class FrontEndWork implements GuestWork {
    private final CompletionInbox inbox;
    private final GuestResources resources;
    private final ChannelEvents events;
    private final SessionGpu gpu;
    private final SessionFrontEnd frontEnd;

    private int taken;

    /// @param seat session of the client
    /// @param area area shared with the client
    /// @param memory memory of the front end, mapped for the GPU
    /// @param frontEnds source of the front end
    /// @param wakeClient wakes the sleeping client; called on the poller's thread
    /// @param wakePoller makes the poller call the front end; any thread
    FrontEndWork(
            PvPlace place,
            PvSeat seat,
            SharedArea area,
            PrivateMemory memory,
            SessionFrontEndFactory frontEnds,
            Runnable wakeClient,
            Runnable wakePoller) {
        inbox = seat.port().inbox();
        FlushNumbers numbers = new FlushNumbers();
        SessionChannels channels = new SessionChannels(place.use().channels().mostOfOne());
        resources =
                GuestResources.of(
                        place,
                        seat,
                        area.layout().dataBytes(),
                        numbers,
                        channels::slot,
                        channels,
                        _ -> {});
        channels.use(resources);
        events =
                new ChannelEvents(
                        resources.channels(),
                        seat.port().requests(),
                        numbers::answer,
                        () -> resources.counts().add(PvCounter.NEWS, 1));
        gpu = new SessionGpu(place, seat, resources, channels, memory);
        Doorbell doorbell = area.guestDoorbell(wakeClient);
        frontEnd =
                frontEnds.open(
                        new FrontEndParts(
                                place.name(),
                                area,
                                () -> {
                                    if (doorbell.ring()) {
                                        resources.counts().add(PvCounter.WAKES, 1);
                                    }
                                },
                                gpu,
                                place.gpuOfOne(),
                                wakePoller));
    }

    @Override
    public int turn(TurnBudget budget) {
        int work = inbox.poll(events);
        work += gpu.begin(budget);
        work += resources.memory().reclaim(resources.numbers(), budget);
        work += frontEnd.doWork(gpu.isTurnLeft() ? budget.commands() : 0);
        taken = frontEnd.taken();
        budget.spendCommands(taken);
        gpu.handOn();
        if (work > 0) {
            resources.counts().add(PvCounter.COMMANDS, taken);
            resources.counts().add(PvCounter.FAILED_COMMANDS, frontEnd.failed());
            resources.counts().publish();
        }
        return work;
    }

    @Override
    public int taken() {
        return taken;
    }

    @Override
    public boolean isWaiting() {
        return frontEnd.isWaiting();
    }

    @Override
    public void end() {
        gpu.stop();
        try {
            frontEnd.close();
        } finally {
            gpu.endViews();
        }
    }

    @Override
    public GuestResources resources() {
        return resources;
    }

    @Override
    public boolean release() {
        return resources.release();
    }
}
