/// What physical addresses of a GPU lead to: its own memory and the host's, in place.
package io.gpuvm.gf100.memory;
