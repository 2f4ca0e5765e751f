package io.gpuvm.ptx.build;

import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.syntax.ErrorList;

/// Module as a part of a program.
///
/// @param name name in messages
/// @param errors receives the errors on positions of the module's source
public record SourceUnit(String name, PtxModule module, ErrorList errors) {}
