/// What each instruction does, against values that share no code with the interpreter: literals,
/// and what `BigInteger`, `BigDecimal` and `StrictMath` say.
package io.gpuvm.softgpu.sm.instruction;
