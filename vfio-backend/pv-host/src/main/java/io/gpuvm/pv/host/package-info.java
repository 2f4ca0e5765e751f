/// The host end of paravirtual guests: takes their commands out of shared memory, checks them, and
/// carries them out in the guest's own arena and through the ports to the GPU's owner.
///
/// A guest's turn is [io.gpuvm.pv.host.PvGuest]'s `turn`; what a command does is found from
/// [io.gpuvm.pv.host.CommandDispatch], what the GPU's owner has to say from
/// [io.gpuvm.pv.host.ChannelEvents].
package io.gpuvm.pv.host;
