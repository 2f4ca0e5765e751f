/// PCI function through which virtual machines reach the host end of paravirtual guests.
package io.gpuvm.pv.host.pci;
