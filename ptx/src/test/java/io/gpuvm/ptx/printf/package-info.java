/// Tests of the conversion of kernels' output to text.
package io.gpuvm.ptx.printf;
