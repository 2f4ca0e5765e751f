/// Fermi machine code, decoded for execution: instructions, and the positions of their operands in
/// a warp's registers.
package io.gpuvm.softgpu.sm.code;
