package io.gpuvm.tests.conformance;

/// GPU under test, opened on first use. It remains open between tests.
final class DrivenGpu implements AutoCloseable {
    private final Place place;
    private OpenGpu open;
    private WatchedGpu watched;
    private PowerOnState powerOn;

    DrivenGpu(Place place) {
        this.place = place;
    }

    /// Returns the GPU, and opens it if it is closed.
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

    /// Returns the source of the GPU.
    Place place() {
        return place;
    }

    /// Opens the GPU for the caller, who closes it. The GPU must not be open: call [#letGo()]
    /// first.
    OpenGpu open() {
        return place.open();
    }

    /// Returns the register values at the first opening of the GPU.
    PowerOnState powerOn() {
        device();
        return powerOn;
    }

    /// Closes the GPU. The next use opens it again.
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
