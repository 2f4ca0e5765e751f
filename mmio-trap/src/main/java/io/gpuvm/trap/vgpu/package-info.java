/// PCI function of a guest: a whole GPU in pass-through, or a virtual GPU with its own register
/// file, channels and windows.
package io.gpuvm.trap.vgpu;
