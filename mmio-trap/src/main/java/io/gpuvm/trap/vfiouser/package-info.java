/// vfio-user server: implements the protocol for a client such as QEMU's `vfio-user-pci`. It
/// handles regions, interrupts and guest memory, but no registers.
///
/// Layouts and numbers are those of the vfio-user specification (`docs/interop/vfio-user.rst` of
/// QEMU); if QEMU is stricter than the specification, the server meets QEMU's requirements.
package io.gpuvm.trap.vfiouser;
