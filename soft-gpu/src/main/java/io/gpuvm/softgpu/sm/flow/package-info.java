/// Static analysis of a kernel: its blocks, and the values that are alive and uniform at each
/// point. Pure functions of decoded code.
package io.gpuvm.softgpu.sm.flow;
