/// Messages between a paravirtual guest and its host, and the layout of the memory that they share:
/// numbers and layouts, no behaviour. `docs/pv-protocol.md` describes the same for authors of a
/// guest in another language.
package io.gpuvm.pv.protocol;
