/// Benchmarks that need to see the server's inside, in the server's own package.
package io.gpuvm.trap.vfiouser;
