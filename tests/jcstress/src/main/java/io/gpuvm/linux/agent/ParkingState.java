package io.gpuvm.linux.agent;

/// State of a thread that announces sleep but never sleeps. Its wake-ups are counted.
public final class ParkingState {
    private final CountedSignals point = new CountedSignals();
    private final Parking parking = new Parking(point);

    /// Returns the parking at which wakers signal.
    public Parking parking() {
        return parking;
    }

    /// Announces sleep. The caller must then check for work again, as [Parking#park] does.
    public void announce() {
        parking.announce();
    }

    /// Returns the number of signals.
    public int signals() {
        return point.signals();
    }
}
