package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.RingProtocol;

/// Kind of the guests of a place.
public sealed interface PlaceKind {
    /// Guests that send commands of the paravirtual protocol.
    PlaceKind COMMANDS = new Commands();

    /// Returns the protocol of the rings.
    RingProtocol protocol();

    /// Returns the number of slots of an area's channel table.
    ///
    /// @param channels maximum number of channels of a session
    int channelSlots(int channels);

    /// Guests that send commands of the paravirtual protocol.
    record Commands() implements PlaceKind {
        @Override
        public RingProtocol protocol() {
            return RingProtocol.COMMANDS;
        }

        @Override
        public int channelSlots(int channels) {
            return channels;
        }
    }

    /// Clients whose requests a front end executes. They see no channels.
    ///
    /// @param frontEnds source of the sessions' front ends
    record FrontEnds(RingProtocol protocol, SessionFrontEndFactory frontEnds) implements PlaceKind {
        @Override
        public int channelSlots(int channels) {
            return 1;
        }
    }
}
