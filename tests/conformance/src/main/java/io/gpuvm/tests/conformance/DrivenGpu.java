package io.gpuvm.tests.conformance;

/// A GPU that tests drive, opened when it is first needed and kept.
final class DrivenGpu implements AutoCloseable {
    private final Place place;
    private OpenGpu open;
    private WatchedGpu watched;
    private PowerOnState powerOn;

    DrivenGpu(Place place) {
        this.place = place;
    }

    /// The GPU.
    WatchedGpu device() {
        if (open == null) {
            open = place.open();
            watched = new WatchedGpu(open);
            if (powerOn == null) {
                powerOn = PowerOnState.of(watched);
            }
        }
        return watched;
    }

    /// Where it comes from.
    Place place() {
        return place;
    }

    /// Another handle on the same GPU, which nobody may have open: [#letGo()] first.
    OpenGpu open() {
        return place.open();
    }

    /// What registers held when the GPU was first opened.
    PowerOnState powerOn() {
        device();
        return powerOn;
    }

    /// Lets go of the GPU; whoever needs it next opens it again.
    void letGo() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    @Override
    public void close() {
        letGo();
        place.close();
    }
}
