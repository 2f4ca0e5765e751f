package io.gpuvm.guests.real;

/// Steps of a guest's start, in their order.
public enum Moment {
    /// The guest's init runs.
    BOOTED("booted"),

    /// The driver is loaded; absent from guests without a driver.
    DRIVER_LOADED("driverLoaded"),

    /// The first program is about to start.
    PROGRAM_STARTED("programStarted"),

    /// The first line of the first program's output has arrived.
    FIRST_OUTPUT("firstOutput"),

    /// The first program has ended, and its measurement has arrived.
    PROGRAM_ENDED("programEnded");

    private final String key;

    Moment(String key) {
        this.key = key;
    }

    /// Returns the key in the JSON of a run.
    public String key() {
        return key;
    }
}
