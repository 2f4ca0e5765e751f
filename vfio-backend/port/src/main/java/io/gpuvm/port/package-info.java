/// The ports between guests and the owner of the GPU: requests down, completions up, and the memory
/// that each virtual machine has of its own, in arenas, shares of VRAM and of bus addresses.
package io.gpuvm.port;
