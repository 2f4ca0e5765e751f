/// Where accesses of the host enter: the register space assembled, and the way of an interrupt out.
package io.gpuvm.softgpu.bus;
