/// The runtime: what a program calls to load a module of machine code, copy, launch and wait.
package io.gpuvm.pv.runtime;
