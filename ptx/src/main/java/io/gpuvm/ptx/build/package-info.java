/// Construction of a module: layout of variables, compilation of functions, cubin.
package io.gpuvm.ptx.build;
