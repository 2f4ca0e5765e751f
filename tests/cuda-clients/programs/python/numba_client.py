"""Program on Numba's binding of the CUDA driver API: device arrays, streams, events, and kernels of a cubin.

    numba_client.py CUBIN

Numba's own compiler is not used, because it needs NVIDIA's libNVVM. Exit status 1 if a check fails.
"""

import ctypes
import sys
import threading

import numpy
from numba import cuda
from numba.cuda.cudadrv import driver

# Numba refuses GPUs that its compiler does not support. Its arrays and streams have no such limit.
driver.MIN_REQUIRED_CC = (2, 0)

ELEMENTS = 100_003
THREADS = 256
FACTOR = 42


def require(condition, what):
    if not condition:
        raise AssertionError(what)


def require_equal(found, expected, what):
    different = numpy.flatnonzero(found != expected)
    require(different.size == 0, f"{what}: {different.size} elements differ, the first at {different[:1]}")
    print("ok:", what)


def check_device():
    device = cuda.get_current_device()
    require(device.compute_capability == (2, 0), f"compute capability {device.compute_capability}")
    require(device.WARP_SIZE == 32, f"warp size {device.WARP_SIZE}")
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    require(name, "the device has no name")
    print("ok: device", name)


def check_arrays():
    numbers = numpy.arange(ELEMENTS, dtype=numpy.float64) * 0.25 - 3
    on_device = cuda.to_device(numbers)
    require_equal(on_device.copy_to_host(), numbers, "array to the device and back")
    other = cuda.device_array_like(on_device)
    other.copy_to_device(on_device)
    require_equal(other.copy_to_host(), numbers, "array within the device")
    require_equal(other[1000:2000].copy_to_host(), numbers[1000:2000], "part of an array")
    matrix = numpy.arange(300 * 70, dtype=numpy.int32).reshape(300, 70)
    require_equal(cuda.to_device(matrix).copy_to_host(), matrix, "matrix")


def check_fill():
    memory = cuda.to_device(numpy.zeros(5000, dtype=numpy.uint8))
    driver.device_memset(memory, 0x5A, 4000)
    expected = numpy.zeros(5000, dtype=numpy.uint8)
    expected[:4000] = 0x5A
    require_equal(memory.copy_to_host(), expected, "fill")


def check_streams():
    numbers = cuda.pinned_array(ELEMENTS, dtype=numpy.int32)
    numbers[:] = numpy.arange(ELEMENTS, dtype=numpy.int32) * 7
    first, second = cuda.stream(), cuda.stream()
    copied = cuda.event(timing=False)
    on_device = cuda.to_device(numbers, stream=first)
    copied.record(first)
    copied.wait(second)
    result = cuda.pinned_array(ELEMENTS, dtype=numpy.int32)
    result[:] = 0
    on_device.copy_to_host(result, stream=second)
    second.synchronize()
    require_equal(result, numbers, "streams, and page-locked memory")
    with first.auto_synchronize():
        again = cuda.to_device(numbers, stream=first)
    require_equal(again.copy_to_host(), numbers, "default stream after another stream")


def check_events():
    start, end = cuda.event(), cuda.event()
    memory = cuda.device_array(16 << 20, dtype=numpy.uint8)
    start.record()
    driver.device_memset(memory, 1, memory.nbytes)
    end.record()
    end.synchronize()
    require(end.query(), "the event is pending")
    milliseconds = cuda.event_elapsed_time(start, end)
    require(milliseconds > 0, f"elapsed: {milliseconds} ms")
    print("ok: events")


def check_callback():
    stream = cuda.stream()
    called = threading.Event()
    stream.add_callback(lambda _stream, status, value: called.set() if (status, value) == (0, 17) else None, 17)
    require(called.wait(60), "the callback was not called")
    stream.synchronize()
    print("ok: callback")


def check_kernel(path):
    with open(path, "rb") as file:
        image = file.read()
    buffer = ctypes.create_string_buffer(image, len(image))
    module = cuda.current_context().create_module_image(buffer)
    scale = module.get_function("scale")
    require(scale.read_func_attr_all().maxthreads >= THREADS, "threads of a block")
    numbers = numpy.arange(ELEMENTS, dtype=numpy.int32)
    on_device = cuda.to_device(numbers)
    arguments = [
        ctypes.c_uint64(driver.device_pointer(on_device)),
        ctypes.c_uint32(ELEMENTS),
        ctypes.c_int32(11),
    ]
    blocks = (ELEMENTS + THREADS - 1) // THREADS
    driver.launch_kernel(scale.handle, blocks, 1, 1, THREADS, 1, 1, 0, 0, arguments)
    cuda.synchronize()
    require_equal(on_device.copy_to_host(), numbers * FACTOR + 11, "kernel")
    factor, size = module.get_global_symbol("factor")
    require(size == 4, f"bytes of factor: {size}")
    value = numpy.zeros(1, dtype=numpy.int32)
    driver.device_to_host(value, factor, 4)
    require(value[0] == FACTOR, f"factor: {value[0]}")
    print("ok: variable of a module")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: numba_client.py CUBIN")
    check_device()
    check_arrays()
    check_fill()
    check_streams()
    check_events()
    check_callback()
    check_kernel(sys.argv[1])
    cuda.close()
    print("passed")


try:
    main()
except Exception as error:
    print("FAILED:", error, file=sys.stderr)
    sys.exit(1)
