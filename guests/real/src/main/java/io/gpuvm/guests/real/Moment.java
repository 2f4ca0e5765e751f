package io.gpuvm.guests.real;

/// Milestones of a guest's run, in chronological order.
public enum Moment {
    /// Start of the guest's init.
    BOOTED("booted"),

    /// End of the driver's loading; absent from guests without a driver.
    DRIVER_LOADED("driverLoaded"),

    /// Start of the first program.
    PROGRAM_STARTED("programStarted"),

    /// Arrival of the first line of the first program's output.
    FIRST_OUTPUT("firstOutput"),

    /// End of the first program, whose measurement has arrived.
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
