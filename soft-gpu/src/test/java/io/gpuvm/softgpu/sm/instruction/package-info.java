/// Tests of each instruction, with expected values that share no code with the interpreter:
/// literals, and results of `BigInteger`, `BigDecimal` and `StrictMath`.
package io.gpuvm.softgpu.sm.instruction;
