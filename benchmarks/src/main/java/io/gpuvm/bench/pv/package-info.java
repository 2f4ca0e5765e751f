/// Paravirtual guests as processes beside a backend, and what that costs.
package io.gpuvm.bench.pv;
