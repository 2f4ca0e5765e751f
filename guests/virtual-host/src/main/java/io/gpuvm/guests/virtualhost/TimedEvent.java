package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent;

/// Something that the virtual host reported.
///
/// @param seconds since power-on, by the clock of whoever runs the machine
record TimedEvent(double seconds, GuestEvent event) {}
