/// Runs gpuvm inside a virtual machine in the role of a card's host: QEMU with an IOMMU and the
/// software GPU, Linux with vfio-pci, and a JVM with this build's classes.
///
/// [VirtualHostMain] is the command line, [VirtualHostRun] one run. [HostImage] is the machine's
/// initramfs; [HostVerdict] is a pure function of its events, which are those of real guests.
package io.gpuvm.guests.virtualhost;
