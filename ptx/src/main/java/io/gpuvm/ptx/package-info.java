/// Compiler from PTX to machine code for sm_20.
package io.gpuvm.ptx;
