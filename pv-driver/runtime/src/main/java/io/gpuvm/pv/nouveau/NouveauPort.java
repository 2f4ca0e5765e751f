package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import java.util.List;

/// Requests to nouveau. Any thread, except where noted. Unless documented otherwise, a method
/// throws [LinuxException] if nouveau refuses the request.
interface NouveauPort extends AutoCloseable {
    /// Parameters of the GPU (`NOUVEAU_GETPARAM_*`).
    enum Parameter {
        PCI_VENDOR(3),
        PCI_DEVICE(4),
        /// VRAM in bytes.
        FB_SIZE(8),
        CHIPSET_ID(11),
        /// Numbers of units; see [Units].
        GRAPH_UNITS(13);

        private final int number;

        Parameter(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    long parameter(Parameter parameter);

    /// Creates a buffer. nouveau zeroes host memory, but not VRAM.
    GemBuffer newBuffer(Domain domain, long bytes);

    /// Maps a buffer of host memory into this process.
    MappedMemory map(GemBuffer buffer);

    /// Releases a buffer. nouveau keeps the memory until all submissions that list the buffer are
    /// complete.
    void close(GemBuffer buffer);

    /// Returns whether an incomplete submission lists the buffer.
    boolean isBusy(GemBuffer buffer);

    /// Creates a channel, and returns its number.
    int newChannel();

    /// Releases a channel. nouveau waits up to 15 seconds for the channel's submissions.
    void closeChannel(int channel);

    /// Creates an object of a class on a channel, so that the channel can bind it.
    void newObject(int channel, ClassId id);

    /// Submits segments to a channel. One thread at a time.
    ///
    /// Buffers are listed as read, even if the commands write to them: if one of two submissions
    /// lists a buffer as written, nouveau makes the later submission wait for the earlier one, so
    /// that channels with the same memory would not run at the same time. nouveau moves a buffer
    /// with its contents, and only while no incomplete submission lists the buffer, whether as read
    /// or as written.
    ///
    /// @param buffers all buffers that the GPU may access, which contain the segments
    /// @param marker additional buffer, listed last
    void submit(int channel, BufferTable buffers, GemBuffer marker, List<Push> pushes);

    /// Submits an empty list of segments, which nouveau refuses with `ENODEV` if the channel is
    /// killed. One thread at a time, as for [#submit].
    void probe(int channel);

    /// Releases a buffer. A refusal has no effect: nouveau has released all buffers of a lost
    /// device.
    default void release(GemBuffer buffer) {
        try {
            close(buffer);
        } catch (LinuxException _) {
            // The device is lost.
        }
    }

    /// Releases a channel. A refusal has no effect: nouveau has released all channels of a lost
    /// device.
    default void releaseChannel(int channel) {
        try {
            closeChannel(channel);
        } catch (LinuxException _) {
            // The device is lost.
        }
    }

    /// Closes the device: nouveau releases all channels and buffers. A second call has no effect.
    @Override
    void close();
}
