/// Host end of paravirtual guests: reads their commands from shared memory, checks them, and
/// executes them in the guest's arena and through the ports to the GPU's owner.
///
/// `turn` of [io.gpuvm.pv.host.PvGuest] runs a guest's turn, [io.gpuvm.pv.host.CommandDispatch]
/// passes each command to its class, and [io.gpuvm.pv.host.ChannelEvents] handles the events of the
/// GPU's owner.
package io.gpuvm.pv.host;
