/// What a ring of a shared area costs, beside what else there is.
package io.gpuvm.pv.ring;
