/// Tests of paravirtual guests, each through a socket of its own.
package io.gpuvm.bench.pv;
