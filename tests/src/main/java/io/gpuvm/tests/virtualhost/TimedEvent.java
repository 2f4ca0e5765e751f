package io.gpuvm.tests.virtualhost;

import io.gpuvm.tests.realguest.GuestEvent;

/// Something that the virtual host reported.
///
/// @param seconds since power-on, by the clock of whoever runs the machine
record TimedEvent(double seconds, GuestEvent event) {}
