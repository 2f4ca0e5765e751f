/// Machine code of the GF100's streaming multiprocessors (sm_20): one table of bit patterns for
/// decoding, disassembly and assembly. All methods are pure functions of words.
///
/// The entry point is [io.gpuvm.gf100.isa.InstructionTable]: it maps a word to a
/// [io.gpuvm.gf100.isa.Form], which returns the value of each [io.gpuvm.gf100.isa.Field] of the
/// word.
package io.gpuvm.gf100.isa;
