package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;

/// An agent that takes its turns on the thread of the GPU's owner.
///
/// @param agent what takes them
/// @param descriptor readable when there is work, beside whoever wakes the thread; or
///   [io.gpuvm.linux.Poller#NONE]
record Passenger(ParkingAgent agent, int descriptor) {}
