/// A vfio-user server: speaks the protocol to a client such as QEMU's `vfio-user-pci` and knows
/// regions, interrupts and guest memory, but no registers.
///
/// Layouts and numbers are those of the vfio-user specification (`docs/interop/vfio-user.rst` of
/// QEMU); where QEMU is stricter than it, QEMU's needs are met.
package io.gpuvm.trap.vfiouser;
