/// Runs gpuvm inside a virtual machine that plays the host of a card: QEMU with an IOMMU, the
/// software GPU plugged into it, Linux with vfio-pci, and a JVM with this build's classes.
///
/// [VirtualHostMain] is the command line, [VirtualHostRun] one run; what the machine starts with is
/// a [HostImage]; a [HostVerdict] is a pure function of what it says, in the events of real guests.
package io.gpuvm.guests.virtualhost;
