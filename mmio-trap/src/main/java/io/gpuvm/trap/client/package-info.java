/// Client of a vfio-user server that requires no virtual machine.
package io.gpuvm.trap.client;
