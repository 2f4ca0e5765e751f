/// The software GPU's VRAM, and the host memory that is mapped for it.
package io.gpuvm.softgpu.memory;
