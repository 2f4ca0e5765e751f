/// Cost of the rings of a shared area, compared with alternatives.
package io.gpuvm.pv.ring;
