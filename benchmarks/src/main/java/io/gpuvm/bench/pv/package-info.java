/// Paravirtual guests as processes beside a backend, and measurements of their cost.
package io.gpuvm.bench.pv;
