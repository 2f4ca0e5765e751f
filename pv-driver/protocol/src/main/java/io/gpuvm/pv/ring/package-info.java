/// Rings of a shared area, and the wake-ups of their consumers. Both ends use the same classes: the
/// guest writes commands and reads completions, and the host does the reverse.
package io.gpuvm.pv.ring;
