/// The host end of paravirtual guests: takes their commands out of shared memory, checks them, and
/// carries them out in the guest's own arena and through the ports to the GPU's owner.
package io.gpuvm.pv.host;
