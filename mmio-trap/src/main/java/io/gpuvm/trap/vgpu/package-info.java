/// What a guest's PCI function is made of. Today: a whole GPU, handed through to one guest.
package io.gpuvm.trap.vgpu;
