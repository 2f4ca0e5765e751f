/// Generators of C and Java sources, documentation and fuzz data from the table of the CUDA driver
/// API; each is a pure function of the table.
package io.gpuvm.cuda.api.generate;
