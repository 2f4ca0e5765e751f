/// Messages between a paravirtual guest and its host, and the layout of their shared memory:
/// constants and layouts, without behaviour. `docs/pv-protocol.md` describes them for authors of
/// guests in other languages.
package io.gpuvm.pv.protocol;
