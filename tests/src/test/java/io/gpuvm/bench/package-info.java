/// Tests of the benchmarks, by counts that do not depend on the host.
package io.gpuvm.bench;
