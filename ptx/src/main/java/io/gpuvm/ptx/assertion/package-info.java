/// Records of failed assertions in kernels.
package io.gpuvm.ptx.assertion;
