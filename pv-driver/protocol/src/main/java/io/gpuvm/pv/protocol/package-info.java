/// What a paravirtual guest and its host say to each other, and where it lies in the memory that
/// they share: numbers and layouts, no behaviour. `docs/pv-protocol.md` describes the same for
/// those who write a guest in another language.
package io.gpuvm.pv.protocol;
