/// Functions of the arithmetic units, one value at a time: pure functions of bit patterns, without
/// objects.
package io.gpuvm.softgpu.sm.alu;
