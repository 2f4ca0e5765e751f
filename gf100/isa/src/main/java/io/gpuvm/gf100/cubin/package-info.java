/// Cubins: the ELF files in which compilers deliver machine code for sm_20 and sm_21.
///
/// [io.gpuvm.gf100.cubin.ElfFile] represents the container, [io.gpuvm.gf100.cubin.Cubin] its
/// interpreted contents.
package io.gpuvm.gf100.cubin;
