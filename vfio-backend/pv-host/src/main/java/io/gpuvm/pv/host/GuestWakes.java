package io.gpuvm.pv.host;

/// Signals between a guest, the poller and the reception.
///
/// @param wakeHost signalled by the guest when the host sleeps; owned by the caller
/// @param wakeGuest wakes the guest when it sleeps; called on the poller's thread
/// @param wakePoller makes the poller serve the guest; any thread
/// @param onChange called on the poller's thread when the poller stops serving the guest, and when
///   it has released the guest's resources
record GuestWakes(HostWake wakeHost, Runnable wakeGuest, Runnable wakePoller, Runnable onChange) {}
