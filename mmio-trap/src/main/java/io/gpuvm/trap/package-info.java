/// Guest-facing side of virtualization by trapped accesses.
package io.gpuvm.trap;
