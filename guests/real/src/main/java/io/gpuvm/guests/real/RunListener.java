package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;

/// Learns what happens during a run, on the thread that runs it unless a method says otherwise.
public interface RunListener {
    /// A guest reported something.
    void onEvent(String vm, GuestEvent event);

    /// A stage of the run itself, in words.
    void onProgress(String text);

    /// The backend's counters, once a second, in the form of its summary (`docs/summary.md`). On a
    /// thread of its own.
    default void onCounters(JsonNode summary) {}
}
