/// What it costs to share a GPU: `./gpuvm bench-sched`.
package io.gpuvm.bench.sched;
