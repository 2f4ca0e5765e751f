/// Tests of paravirtual guests, each with a separate socket.
package io.gpuvm.bench.pv;
