/// Guest's side of virtualization by trapped accesses.
package io.gpuvm.trap;
