/// The other end of a vfio-user socket: a client without a machine behind it.
package io.gpuvm.trap.client;
