/// Optimizations of functions in SSA form.
package io.gpuvm.ptx.optimize;
