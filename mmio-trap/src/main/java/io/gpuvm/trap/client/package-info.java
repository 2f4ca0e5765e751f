/// Client side of a vfio-user socket, without a machine.
package io.gpuvm.trap.client;
