/// Memory behind physical addresses of a GPU: VRAM and host memory, accessed in place.
package io.gpuvm.gf100.memory;
