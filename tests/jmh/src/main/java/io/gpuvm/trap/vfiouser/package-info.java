/// Benchmarks with access to the server's package-private classes.
package io.gpuvm.trap.vfiouser;
