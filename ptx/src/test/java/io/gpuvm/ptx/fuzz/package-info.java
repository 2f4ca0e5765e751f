/// Tests of the parser and the checker with mutated and random sources.
package io.gpuvm.ptx.fuzz;
