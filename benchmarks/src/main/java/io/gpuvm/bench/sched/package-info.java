/// Cost of sharing a GPU: `./gpuvm bench-sched`.
package io.gpuvm.bench.sched;
