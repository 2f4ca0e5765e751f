/// Memory behind physical addresses of a GPU: its own memory and the host's, accessed in place.
package io.gpuvm.gf100.memory;
