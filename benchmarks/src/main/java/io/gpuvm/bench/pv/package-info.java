/// Cost of paravirtualization for a guest: `./gpuvm bench-pv`. The backend is a separate process.
package io.gpuvm.bench.pv;
