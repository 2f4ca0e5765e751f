/// Tests of paravirtual guests, each through its own socket.
package io.gpuvm.bench.pv;
