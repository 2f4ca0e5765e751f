/// Runs unmodified QEMU, kernels and drivers on a backend, and checks the guests' output.
///
/// [RealGuestMain] is the command line, and [RealGuestRun] is one run: a server process, a
/// [GuestMachine] per virtual machine, and finally a [RunReport]. The lines of a guest are
/// [GuestEvent]s, from which [GuestVerdict] is computed without side effects.
package io.gpuvm.guests.real;
