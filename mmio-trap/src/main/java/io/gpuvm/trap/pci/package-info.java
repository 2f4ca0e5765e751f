/// Configuration space of a PCI Express function: values, write masks and capabilities.
///
/// Names, offsets and bits are those of Linux's `include/uapi/linux/pci_regs.h`.
package io.gpuvm.trap.pci;
