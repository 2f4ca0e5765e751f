/// Counters of a backend in a memory-mapped file: the writer in the backend, and readers in other
/// processes, which need no answer of the backend. `docs/operations.md` describes the layout.
package io.gpuvm.counters;
