package io.gpuvm.backend;

import io.gpuvm.pv.host.PvPoller;

/// The poller of paravirtual guests, on the thread of the GPU's owner.
record PvPassenger(PvPoller poller) implements Passenger {
    @Override
    public int doWork() {
        return poller.doWork();
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
