/// Seeded generator of random PTX for comparisons of compiled code with the interpreter.
package io.gpuvm.ptx.generator;
