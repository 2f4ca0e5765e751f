package io.gpuvm.bench.pocl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;

/// Functions of OpenCL that the comparison calls, with their signatures (OpenCL 1.2, `CL/cl.h`).
///
/// Objects, pointers and callbacks are addresses; `size_t`, bit fields and properties are longs. A
/// function that creates an object returns the object, and its last parameter is a pointer to the
/// call's status. All other functions return the status.
enum ClFunction {
    GET_PLATFORM_IDS("clGetPlatformIDs", JAVA_INT, ADDRESS, ADDRESS),
    GET_PLATFORM_INFO("clGetPlatformInfo", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS),
    GET_DEVICE_IDS("clGetDeviceIDs", ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS),
    GET_DEVICE_INFO("clGetDeviceInfo", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS),
    CREATE_CONTEXT("clCreateContext", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS),
    RELEASE_CONTEXT("clReleaseContext", ADDRESS),
    CREATE_COMMAND_QUEUE("clCreateCommandQueue", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS),
    RELEASE_COMMAND_QUEUE("clReleaseCommandQueue", ADDRESS),
    CREATE_PROGRAM_WITH_SOURCE(
            "clCreateProgramWithSource", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS),
    BUILD_PROGRAM("clBuildProgram", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS),
    GET_PROGRAM_BUILD_INFO(
            "clGetProgramBuildInfo", ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS),
    RELEASE_PROGRAM("clReleaseProgram", ADDRESS),
    CREATE_KERNEL("clCreateKernel", ADDRESS, ADDRESS, ADDRESS),
    SET_KERNEL_ARG("clSetKernelArg", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS),
    RELEASE_KERNEL("clReleaseKernel", ADDRESS),
    CREATE_BUFFER("clCreateBuffer", ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS),
    RELEASE_MEM_OBJECT("clReleaseMemObject", ADDRESS),
    ENQUEUE_WRITE_BUFFER(
            "clEnqueueWriteBuffer",
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS),
    ENQUEUE_READ_BUFFER(
            "clEnqueueReadBuffer",
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS),
    ENQUEUE_FILL_BUFFER(
            "clEnqueueFillBuffer",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS),
    ENQUEUE_ND_RANGE_KERNEL(
            "clEnqueueNDRangeKernel",
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS),
    FINISH("clFinish", ADDRESS);

    private final String symbol;
    private final MemoryLayout[] parameters;

    ClFunction(String symbol, MemoryLayout... parameters) {
        this.symbol = symbol;
        this.parameters = parameters;
    }

    /// Returns the function's name in C.
    String symbol() {
        return symbol;
    }

    private boolean creates() {
        return name().startsWith("CREATE_");
    }

    FunctionDescriptor descriptor() {
        return FunctionDescriptor.of(creates() ? ADDRESS : JAVA_INT, parameters);
    }
}
