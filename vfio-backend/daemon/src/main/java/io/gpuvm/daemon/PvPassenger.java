package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.pv.host.PvPoller;
import java.util.function.BooleanSupplier;

/// The poller of paravirtual guests, on the thread of the GPU's owner.
///
/// @param isAsked whether somebody has asked the owner for something
record PvPassenger(PvPoller poller, BooleanSupplier isAsked) implements ParkingAgent {
    /// A look at empty rings costs much less than a turn of the owner and the engines, and a guest
    /// that has been answered soon has the next command.
    private static final int LOOKS = 8;

    /// The same while guests send their commands one by one, each of which waits for the answer to
    /// the one before: until so many looks, and about so many commands.
    private static final int MOST_LOOKS = 32;

    private static final int FEW_COMMANDS = 16;

    @Override
    public int doWork() {
        int work = 0;
        int looks = 0;
        int inVain = 0;
        do {
            int found = poller.doWork();
            work += found;
            inVain = found > 0 ? 0 : inVain + 1;
            looks++;
        } while (isWorthLooking(looks, inVain, work) && !isAsked.getAsBoolean());
        return work;
    }

    private static boolean isWorthLooking(int looks, int inVain, int work) {
        boolean oneByOne = work > 0 && work < FEW_COMMANDS && inVain < LOOKS;
        return looks < LOOKS || oneByOne && looks < MOST_LOOKS;
    }

    @Override
    public boolean mayPark() {
        return poller.mayPark();
    }

    @Override
    public long nanosUntilWork() {
        return poller.nanosUntilWork();
    }

    @Override
    public void onAwake(boolean slept) {
        if (slept) {
            poller.look();
        }
        poller.onAwake(slept);
    }

    @Override
    public String roleName() {
        return poller.roleName();
    }
}
