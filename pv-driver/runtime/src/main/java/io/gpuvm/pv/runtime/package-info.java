/// Runtime API of programs: loads modules of machine code, copies memory, launches kernels and
/// waits for them.
package io.gpuvm.pv.runtime;
