/// Fermi machine code, decoded for execution: instructions, and where in a warp's registers their
/// operands are.
package io.gpuvm.softgpu.sm.code;
