package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Execution of one session's calls of the CUDA driver API on a GPU.
///
/// **Calls return at once**, without waiting for the GPU: a call that needs the GPU's progress
/// completes by a [CallReply], possibly during the call, otherwise in [#doWork()]. Calls take
/// effect in their order, except that a call that waits does not delay later calls on other
/// streams. A method that returns a result has then taken effect, or, for operations of a stream,
/// has been enqueued; an error of an enqueued operation is reported to [ExecutorErrors].
///
/// **Handles** are the client's: the lower 32 bits are an index from 1 to the limit of
/// [ExecutorLimits], the upper 32 bits a generation. A call that creates an object takes its
/// handle; the index must not denote another object of the kind. Objects end with their context,
/// texture references also with their module. A handle of no object has the result
/// [CudaResult#INVALID_HANDLE], or [CudaResult#INVALID_CONTEXT] for a context.
///
/// **Streams.** The legacy default stream of a context, which the context's creation names, waits
/// for all earlier operations of the context's blocking streams, and their later operations wait
/// for its operations. Streams with the flag [#NON_BLOCKING] are independent of it; a per-thread
/// default stream is an ordinary blocking stream.
///
/// **Failures.** After a kernel has failed, all calls that use the context, except its destruction,
/// have the result of this failure.
///
/// **Threads.** One thread at a time. Allocations take the time that the transport takes.
public interface CudaExecutor extends AutoCloseable {
    /// Flag of a stream that does not synchronize with the legacy default stream
    /// (`CU_STREAM_NON_BLOCKING`).
    int NON_BLOCKING = 1;

    /// Flag of an event without times (`CU_EVENT_DISABLE_TIMING`).
    int DISABLE_TIMING = 2;

    /// Limit of the size of a thread's stack, for modules that are loaded later
    /// (`CU_LIMIT_STACK_SIZE`).
    int LIMIT_STACK_SIZE = 0;

    /// Attribute of the maximum dynamic shared memory of a kernel
    /// (`CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`).
    int MAX_DYNAMIC_SHARED_BYTES = 8;

    /// Attribute of the preferred division between shared memory and cache, which is a hint
    /// (`CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT`).
    int SHARED_MEMORY_CARVEOUT = 9;

    /// Flag of a texture whose integers are not converted to floats (`CU_TRSF_READ_AS_INTEGER`).
    int READ_AS_INTEGER = 1;

    /// Value of [#oldestAreaUse()] if no operation uses the data area.
    long NO_CALL = Long.MAX_VALUE;

    /// Creates a context and its legacy default stream.
    ///
    /// @param context handle of the context
    /// @param stream handle of the legacy default stream
    /// @param isPrimary whether this is the primary context; a session has at most one
    void createContext(long context, long stream, boolean isPrimary, CallReply reply);

    /// Destroys a context and its objects. Submitted work completes; the memory is free after that.
    CudaResult destroyContext(long context);

    /// Completes when all earlier operations of all streams of a context are done.
    void synchronizeContext(long context, CallReply reply);

    /// Sets a limit of a context.
    ///
    /// @param limit [#LIMIT_STACK_SIZE]; other limits are not supported
    CudaResult setLimit(long context, int limit, long value);

    /// Loads a module, and completes with the length of its description. The result of an empty
    /// image is [CudaResult#NOT_FOUND] if the hash is unknown. If the description is longer than
    /// its range, the result is [CudaResult#INVALID_VALUE], with the length that is needed.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param module handle of the module
    void loadModule(long call, long context, long module, ModuleRequest request, CallReply reply);

    /// Compiles PTX and links modules, and completes with the length of the response, also after an
    /// error of the modules. If the response is longer than its range, the result is
    /// [CudaResult#INVALID_VALUE], with the length that is needed.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param request [io.gpuvm.cuda.protocol.LinkRequest] in the data area, which the client may
    ///   change at any time
    /// @param response part of the data area that receives the
    ///   [io.gpuvm.cuda.protocol.LinkResponse]
    void link(
            long call,
            long context,
            MemorySegment request,
            MemorySegment response,
            CallReply reply);

    /// Unloads a module once all earlier operations are done. Its texture references end.
    CudaResult unloadModule(long module);

    /// Completes with the address and the length of a variable of a module.
    void findVariable(long module, String name, CallReply reply);

    /// Sets an attribute of a kernel.
    ///
    /// @param kernel index in the module's description
    /// @param attribute [#MAX_DYNAMIC_SHARED_BYTES] or [#SHARED_MEMORY_CARVEOUT]
    CudaResult setKernelAttribute(long module, int kernel, int attribute, int value);

    /// Sets the preferred division between shared memory and cache of a kernel, which is a hint.
    ///
    /// @param kernel index in the module's description
    /// @param config value of `CUfunc_cache`
    CudaResult setCacheConfig(long module, int kernel, int config);

    /// Completes with the number of blocks that a multiprocessor runs at the same time.
    ///
    /// @param kernel index in the module's description
    /// @param threads number of threads of a block
    void findOccupancy(
            long module, int kernel, int threads, long dynamicSharedBytes, CallReply reply);

    /// Allocates memory of the GPU; completes with its address. Waits for earlier releases if no
    /// other memory is left.
    void allocate(long context, long bytes, CallReply reply);

    /// Frees memory once all earlier operations are done.
    ///
    /// @param address start address of an allocation
    CudaResult free(long address);

    /// Completes with the number of free bytes and the total number of bytes, once the memory of
    /// all earlier releases of the context is free.
    void readMemoryInfo(long context, CallReply reply);

    /// Copies from the data area to the GPU.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param source offset in the data area
    CudaResult copyToDevice(long call, long stream, long target, long source, long bytes);

    /// Copies from the GPU to the data area.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param target offset in the data area
    CudaResult copyToArea(long call, long stream, long target, long source, long bytes);

    /// Copies within the GPU's memory.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    CudaResult copy(long call, long stream, long target, long source, long bytes);

    /// Copies a box.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    CudaResult copyBox(long call, long stream, CopyBox box);

    /// Fills memory of the GPU with a value.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param elementBytes length of the value: 1, 2 or 4
    /// @param count number of elements
    CudaResult fill(long call, long stream, long target, int elementBytes, int value, long count);

    /// Fills a rectangle of memory of the GPU with a value.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param pitch distance in bytes between the starts of adjacent lines
    /// @param elementBytes length of the value: 1, 2 or 4
    /// @param width number of elements of a line
    /// @param height number of lines
    CudaResult fillRectangle(
            long call,
            long stream,
            long target,
            long pitch,
            int elementBytes,
            int value,
            long width,
            long height);

    /// Creates a stream.
    ///
    /// @param stream handle of the stream
    /// @param flags 0 or [#NON_BLOCKING]
    CudaResult createStream(long context, long stream, int flags);

    /// Destroys a stream; its operations complete.
    CudaResult destroyStream(long stream);

    /// Completes when all earlier operations of a stream are done.
    void synchronizeStream(long stream, CallReply reply);

    /// Returns whether all earlier operations of a stream are done: [CudaResult#SUCCESS] or
    /// [CudaResult#NOT_READY].
    CudaResult queryStream(long stream);

    /// Makes later operations of a stream wait for the last recording of an event, also of another
    /// context.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    CudaResult waitEvent(long call, long stream, long event);

    /// Completes when all earlier operations of a stream are done; later operations of the stream
    /// then wait for [#endHostFunction].
    ///
    /// @param call number of the call, greater than that of all earlier calls
    void launchHostFunction(long call, long stream, CallReply reply);

    /// Ends the wait of a stream for a host function.
    ///
    /// @param call number of the call of [#launchHostFunction], which has completed
    CudaResult endHostFunction(long call);

    /// Creates an event.
    ///
    /// @param event handle of the event
    /// @param flags flags of `cuEventCreate`, of which only [#DISABLE_TIMING] has a meaning
    CudaResult createEvent(long context, long event, int flags);

    /// Destroys an event. Its last recording completes.
    CudaResult destroyEvent(long event);

    /// Records an event at the end of a stream.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    CudaResult recordEvent(long call, long event, long stream);

    /// Completes when the last recording of an event is done.
    void synchronizeEvent(long event, CallReply reply);

    /// Returns whether the last recording of an event is done: [CudaResult#SUCCESS] or
    /// [CudaResult#NOT_READY].
    CudaResult queryEvent(long event);

    /// Completes with the time between two events: the bits of a float, in milliseconds.
    void readElapsedTime(long start, long end, CallReply reply);

    /// Launches a kernel.
    ///
    /// @param call number of the call, greater than that of all earlier calls
    /// @param kernel index in the module's description
    /// @param isCooperative whether all blocks must run at the same time
    /// @param parameters values of the kernel's parameters, which are copied during the call
    CudaResult launch(
            long call,
            long stream,
            long module,
            int kernel,
            LaunchShape shape,
            boolean isCooperative,
            MemorySegment parameters);

    /// Creates a reference to a texture of a module; completes without result values.
    ///
    /// @param texture handle of the reference
    void findTexture(long module, long texture, String name, CallReply reply);

    /// Binds a texture to memory for later launches.
    ///
    /// @param address address in an allocation or variable
    CudaResult setTextureAddress(long texture, long address, long bytes);

    /// Sets the format of a texture for later launches.
    ///
    /// @param format value of `CUarray_format`
    /// @param components number of components of a texel
    CudaResult setTextureFormat(long texture, int format, int components);

    /// Sets the flags of a texture for later launches.
    ///
    /// @param flags flags of `cuTexRefSetFlags`, of which only [#READ_AS_INTEGER] has a meaning for
    ///   linear memory
    CudaResult setTextureFlags(long texture, int flags);

    /// Sets the address mode of a texture, which has no effect on linear memory.
    ///
    /// @param dimension 0 to 2
    /// @param mode value of `CUaddress_mode`
    CudaResult setTextureAddressMode(long texture, int dimension, int mode);

    /// Sets the filter of a texture, which has no effect on linear memory.
    ///
    /// @param mode value of `CUfilter_mode`
    CudaResult setTextureFilterMode(long texture, int mode);

    /// Returns the number of the oldest call whose operation may still read or write the data area,
    /// or [#NO_CALL].
    long oldestAreaUse();

    /// Completes a call when its operation no longer reads or writes the data area, in
    /// [#answerAreaUses()]; immediately if it does not use the data area.
    ///
    /// @param call number of the last call, which was a copy that has been enqueued
    void answerAfterAreaUse(long call, CallReply reply);

    /// Completes the calls of [#answerAfterAreaUse] whose operations no longer use the data area.
    ///
    /// @return number of completed calls
    int answerAreaUses();

    /// Returns whether the caller may make further calls that enqueue operations. If not, the
    /// caller makes no calls until the result is true again. True while a host function runs,
    /// because its end arrives as a call.
    boolean isAccepting();

    /// Starts the GPU on the operations of all calls since the last call of this method or of
    /// [#doWork()]; without it, the GPU may start them later.
    void flush();

    /// Advances pending operations and completes calls. Starts the GPU as [#flush()] does.
    ///
    /// @return number of advanced operations and completed calls
    int doWork();

    /// Returns whether [#doWork()] has to be called although no call arrives.
    boolean isWaiting();

    /// Ends all work, even if it is incomplete, and frees all resources. Replies of pending calls
    /// are not called.
    @Override
    void close();
}
