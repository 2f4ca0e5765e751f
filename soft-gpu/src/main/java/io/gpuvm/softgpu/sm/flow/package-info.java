/// What can be known of a kernel before it runs: its blocks, and what is alive and uniform where.
/// Pure functions of decoded code.
package io.gpuvm.softgpu.sm.flow;
