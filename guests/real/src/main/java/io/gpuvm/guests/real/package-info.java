/// Runs unmodified QEMU, kernels and drivers on a backend and judges what they say.
///
/// [RealGuestMain] is the command line, [RealGuestRun] one run: a server process, a [GuestMachine]
/// per virtual machine, and at the end a [RunReport]. What a guest says comes as [GuestEvent]s; a
/// [GuestVerdict] is a pure function of them.
package io.gpuvm.guests.real;
