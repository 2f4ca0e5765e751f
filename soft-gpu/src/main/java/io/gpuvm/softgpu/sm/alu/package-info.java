/// What the arithmetic units compute, one value at a time: pure functions over bit patterns,
/// without objects.
package io.gpuvm.softgpu.sm.alu;
