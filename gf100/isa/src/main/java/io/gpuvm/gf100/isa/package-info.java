/// Machine code of the GF100's streaming multiprocessors (sm_20): one table of bit patterns that
/// decodes, disassembles and assembles. Pure functions over words; no memory, no state, no threads.
///
/// Start at [io.gpuvm.gf100.isa.InstructionTable]: it turns a word into a
/// [io.gpuvm.gf100.isa.Form], which answers for every [io.gpuvm.gf100.isa.Field] that the word has.
package io.gpuvm.gf100.isa;
