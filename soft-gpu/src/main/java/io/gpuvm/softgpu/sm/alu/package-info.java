/// Functions of the arithmetic units for single values: pure functions of bit patterns, which
/// create no objects.
package io.gpuvm.softgpu.sm.alu;
