package io.gpuvm.backend;

import io.gpuvm.pv.host.PvPoller;
import java.util.function.BooleanSupplier;

/// The poller of paravirtual guests, on the thread of the GPU's owner.
///
/// @param isAsked whether somebody has asked the owner for something
record PvPassenger(PvPoller poller, BooleanSupplier isAsked) implements Passenger {
    /// A look at empty rings costs much less than a turn of the owner and the engines, and a guest
    /// that has been answered soon has the next command.
    private static final int LOOKS = 8;

    @Override
    public int doWork() {
        int work = 0;
        int looks = 0;
        do {
            work += poller.doWork();
            looks++;
        } while (looks < LOOKS && !isAsked.getAsBoolean());
        return work;
    }

    @Override
    public boolean prepareToPark() {
        return poller.prepareToPark();
    }

    @Override
    public long nanosUntilWork() {
        return poller.nanosUntilWork();
    }

    @Override
    public void onAwake() {
        poller.look();
        poller.onAwake();
    }

    @Override
    public int descriptor() {
        return poller.descriptor();
    }
}
