package io.gpuvm.linux.agent;

/// Thread that announces sleep and never sleeps: its wake-ups are counted.
public final class ParkingState {
    private final CountedSignals point = new CountedSignals();
    private final Parking parking = new Parking(point);

    /// Returns the parking at which wakers signal.
    public Parking parking() {
        return parking;
    }

    /// Announces sleep; the caller then checks for work once more, as [Parking#park] does.
    public void announce() {
        parking.announce();
    }

    /// Returns the number of signals.
    public int signals() {
        return point.signals();
    }
}
