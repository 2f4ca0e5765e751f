package io.gpuvm.pv.host;

/// Part of a place that one session uses.
///
/// @param number number of the session in the place, from 0
/// @param port ports to the GPU's owner
/// @param dataGuestPhysical guest-physical address of the data area, the only memory of the guest
///   that the GPU can access
/// @param privateGuestPhysical guest-physical address of the memory of the session's front end; the
///   end of the session's addresses if it has none
record PvSeat(int number, PvPort port, long dataGuestPhysical, long privateGuestPhysical) {
    /// Returns a session's part of a place. Each session has addresses of its own, so that no other
    /// session maps memory at addresses that the GPU may still use.
    static PvSeat of(PvPlace place, int number, PvPort port) {
        PvQuotas quotas = place.quotas();
        long data = number * quotas.addressesOfOne();
        return new PvSeat(number, port, data, data + quotas.addressesOfData());
    }
}
