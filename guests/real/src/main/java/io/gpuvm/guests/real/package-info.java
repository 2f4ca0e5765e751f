/// Runs unmodified QEMU, kernels and drivers on a backend and judges their output.
///
/// [RealGuestMain] is the command line, [RealGuestRun] one run: a server process, a [GuestMachine]
/// per virtual machine, and at the end a [RunReport]. The lines of a guest are [GuestEvent]s; a
/// [GuestVerdict] is a pure function of them.
package io.gpuvm.guests.real;
