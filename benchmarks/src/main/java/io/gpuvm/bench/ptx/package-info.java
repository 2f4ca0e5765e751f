/// `gpuvm bench-ptx`: quality of the PTX compiler's code, and speed of the compiler.
package io.gpuvm.bench.ptx;
