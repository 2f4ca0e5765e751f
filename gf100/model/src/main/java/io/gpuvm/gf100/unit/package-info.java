/// Behaviour at register level that a software GPU and a virtual GPU share, written once.
///
/// A unit is a small class that declares its registers in a [io.gpuvm.gf100.unit.RegisterTable];
/// whoever assembles units decides what becomes of the registers that nobody declares.
package io.gpuvm.gf100.unit;
