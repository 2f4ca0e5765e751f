package io.gpuvm.linux.agent;

/// A thread that is about to sleep, and never does: what wakes it is counted.
public final class ParkingState {
    private final CountedSignals point = new CountedSignals();
    private final Parking parking = new Parking(point);

    /// Where others wake it.
    public Parking parking() {
        return parking;
    }

    /// Says that it sleeps; the caller looks for work once more then, as [Parking#park] does.
    public void announce() {
        parking.announce();
    }

    /// How often it was signalled.
    public int signals() {
        return point.signals();
    }
}
