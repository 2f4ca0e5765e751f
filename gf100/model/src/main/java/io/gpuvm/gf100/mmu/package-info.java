/// Page tables of the GF100: directory and table entries, table shapes, memory targets.
///
/// Sources: `nvkm/subdev/mmu/vmmgf100.c` and envytools' `rnndb/memory/gf100_vm.xml`.
package io.gpuvm.gf100.mmu;
