package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;

/// Listener for the events of a run. Called on the run's thread unless documented otherwise.
public interface RunListener {
    /// Called when a guest has reported an event.
    void onEvent(String vm, GuestEvent event);

    /// Called with a description of each stage of the run.
    void onProgress(String text);

    /// Called once per second with the backend's counters, in the form of its summary
    /// (`docs/summary.md`). On a separate thread.
    default void onCounters(JsonNode summary) {}
}
