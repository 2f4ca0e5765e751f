package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.pv.host.FunctionAcceptor;

/// What the thread of a PCI function of a paravirtual guest does for it beside serving its socket:
/// delivers interrupts.
record DoorAgent(FunctionAcceptor door) implements ParkingAgent {
    @Override
    public int doWork() {
        return door.deliver();
    }

    @Override
    public boolean mayPark() {
        return door.deliver() == 0;
    }

    @Override
    public String roleName() {
        return "interrupts";
    }
}
