/// What the GPU's physical addresses lead to: its own memory and the host's, in place.
package io.gpuvm.softgpu.memory;
