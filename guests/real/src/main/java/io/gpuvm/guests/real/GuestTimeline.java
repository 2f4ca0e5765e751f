package io.gpuvm.guests.real;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/// Times at which a guest reached the milestones of its run. One thread.
final class GuestTimeline {
    private final Map<Moment, Double> seconds = new EnumMap<>(Moment.class);

    /// Processes the next event of the guest.
    ///
    /// @param at time at which the event arrived, in seconds since power-on
    void accept(GuestEvent event, double at) {
        switch (event) {
            case GuestEvent.Booted _ -> reach(Moment.BOOTED, at);
            case GuestEvent.Loaded _ -> reach(Moment.DRIVER_LOADED, at);
            case GuestEvent.Started _ -> reach(Moment.PROGRAM_STARTED, at);
            case GuestEvent.Exited _ -> reach(Moment.PROGRAM_ENDED, at);
            case GuestEvent.Note _, GuestEvent.Check _, GuestEvent.Case _, GuestEvent.Other _ ->
                    onOutput(at);
            default -> {}
        }
    }

    private void onOutput(double at) {
        if (seconds.containsKey(Moment.PROGRAM_STARTED)) {
            reach(Moment.FIRST_OUTPUT, at);
        }
    }

    private void reach(Moment moment, double at) {
        seconds.putIfAbsent(moment, at);
    }

    /// Returns the times of the milestones that the guest has reached, in seconds since power-on.
    Map<Moment, Double> moments() {
        return Collections.unmodifiableMap(new EnumMap<>(seconds));
    }
}
