/// Output of kernels: the buffer to which `vprintf` writes, and its conversion to text.
package io.gpuvm.ptx.printf;
