/// Translation caches of channels, and memory by virtual address.
package io.gpuvm.softgpu.mmu;
