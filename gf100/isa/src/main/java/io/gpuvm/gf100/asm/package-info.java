/// Conversion from text to machine code and back: the assembler for whole source files, and
/// listings of cubins that can be assembled again.
///
/// The instructions are defined by [io.gpuvm.gf100.isa.InstructionTable], and their text by
/// [io.gpuvm.gf100.isa.Disassembler]. `docs/assembler.md` describes the complete language.
package io.gpuvm.gf100.asm;
