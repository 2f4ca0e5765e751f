package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.pv.host.PvPoller;
import java.util.function.BooleanSupplier;

/// Poller of paravirtual guests, on the thread of the GPU's owner.
///
/// @param isAsked returns whether the owner has requests
record PvPassenger(PvPoller poller, BooleanSupplier isAsked) implements ParkingAgent {
    /// Number of polls per turn, unless guests send commands one by one. Polling empty rings costs
    /// much less than a turn of the owner and the engines, and a guest soon sends the next command
    /// after a completion.
    private static final int LOOKS = 8;

    /// Maximum number of polls per turn, and approximately of commands, while guests send each
    /// command after the completion of the previous command.
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
