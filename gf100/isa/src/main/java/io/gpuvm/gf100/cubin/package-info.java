/// Cubins: the ELF files in which compilers hand over machine code for sm_20 and sm_21.
///
/// [io.gpuvm.gf100.cubin.ElfFile] knows the container, [io.gpuvm.gf100.cubin.Cubin] what it means.
package io.gpuvm.gf100.cubin;
