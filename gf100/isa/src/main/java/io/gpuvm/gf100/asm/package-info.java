/// Conversion from text to machine code and back: the assembler for whole source files, and
/// listings of cubins that assemble again.
///
/// The instructions are those of [io.gpuvm.gf100.isa.InstructionTable], their text is
/// [io.gpuvm.gf100.isa.Disassembler]'s; `docs/assembler.md` describes the language around them.
package io.gpuvm.gf100.asm;
