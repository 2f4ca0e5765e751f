/// Emission: machine words from instructions with allocated registers, branches and joins.
package io.gpuvm.ptx.emit;
