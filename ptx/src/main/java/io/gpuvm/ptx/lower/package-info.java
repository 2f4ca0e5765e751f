/// Lowering: machine instructions in SSA form from the checked module.
package io.gpuvm.ptx.lower;
