/// Ports between guests and the owner of the GPU: requests in one direction, completions in the
/// other, and the memory of each virtual machine: arenas, shares of VRAM and of bus addresses.
package io.gpuvm.port;
