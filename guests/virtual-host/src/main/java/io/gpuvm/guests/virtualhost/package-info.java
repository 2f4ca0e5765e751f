/// Runs gpuvm inside a virtual machine in the role of a card's host: QEMU with an IOMMU and the
/// software GPU, Linux with vfio-pci, and a JVM with this build's classes.
///
/// [VirtualHostMain] is the command line, and [VirtualHostRun] is one run. [HostImage] is the
/// machine's initramfs. [HostVerdict] is computed without side effects from the machine's events,
/// which have the format of real guests' events.
package io.gpuvm.guests.virtualhost;
