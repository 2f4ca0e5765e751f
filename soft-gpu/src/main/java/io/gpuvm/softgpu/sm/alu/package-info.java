/// Functions of the arithmetic units, for one value at a time: pure functions of bit patterns,
/// which create no objects.
package io.gpuvm.softgpu.sm.alu;
