package io.gpuvm.top;

/// Change of a running backend that the user has confirmed.
public sealed interface TopAction {
    /// Returns the control socket of the backend.
    String control();

    /// Returns the virtual machine.
    String vm();

    /// Sets the weight.
    ///
    /// @param weight 1 to 10000
    record SetWeight(String control, String vm, int weight) implements TopAction {}

    /// Sets the cap.
    ///
    /// @param capPercent 1 to 99, or 100 for none
    record SetCap(String control, String vm, int capPercent) implements TopAction {}

    /// Stops the running commands, with their channels.
    record Kill(String control, String vm) implements TopAction {}
}
