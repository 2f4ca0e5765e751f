package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent;

/// Event reported by the virtual host.
///
/// @param seconds seconds since power-on, by the clock of the process that runs the machine
record TimedEvent(double seconds, GuestEvent event) {}
