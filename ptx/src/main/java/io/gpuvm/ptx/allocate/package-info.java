/// Allocation of registers for functions in SSA form, with spills to local memory.
package io.gpuvm.ptx.allocate;
