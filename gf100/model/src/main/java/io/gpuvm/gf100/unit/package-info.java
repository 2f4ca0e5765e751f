/// Register-level behaviour of the GF100's units, shared by the software GPU and the virtual GPU.
///
/// A unit is a small class that declares its registers in a [io.gpuvm.gf100.unit.RegisterTable];
/// the table counts accesses to undeclared registers.
package io.gpuvm.gf100.unit;
