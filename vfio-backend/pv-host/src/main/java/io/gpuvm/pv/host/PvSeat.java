package io.gpuvm.pv.host;

/// Part of a place that one session uses.
///
/// @param number number of the session in the place, from 0
/// @param port ports to the GPU's owner
/// @param dataGuestPhysical guest-physical address of the data area, the only memory of the guest
///   that the GPU can access
record PvSeat(int number, PvPort port, long dataGuestPhysical) {}
