/// Runtime API for programs, which load modules of machine code, copy memory, launch kernels and
/// wait for them.
package io.gpuvm.pv.runtime;
