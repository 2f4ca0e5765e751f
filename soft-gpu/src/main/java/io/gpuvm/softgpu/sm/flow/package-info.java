/// Static analysis of a kernel: its blocks, and the values that are live and uniform at each point.
/// All functions are pure functions of decoded code.
package io.gpuvm.softgpu.sm.flow;
