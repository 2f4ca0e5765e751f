"""Program on PyCUDA: arrays, streams, events, and kernels of a cubin.

    pycuda_client.py CUBIN

PyCUDA's compiler is not used, because it needs NVIDIA's nvcc. Exit status 1 if a check fails.
"""

import sys

import numpy
import pycuda.driver as cuda

ELEMENTS = 100_003
THREADS = 256
FACTOR = 42
BLOCKS = (ELEMENTS + THREADS - 1) // THREADS


def require(condition, what):
    if not condition:
        raise AssertionError(what)


def require_equal(found, expected, what):
    different = numpy.flatnonzero(found != expected)
    require(different.size == 0, f"{what}: {different.size} elements differ, the first at {different[:1]}")
    print("ok:", what)


def check_device(device):
    require(device.compute_capability() == (2, 0), f"compute capability {device.compute_capability()}")
    require(device.get_attribute(cuda.device_attribute.WARP_SIZE) == 32, "warp size")
    require(device.total_memory() >= 1 << 20, f"memory: {device.total_memory()}")
    require(len(device.get_attributes()) > 20, "attributes")
    print("ok: device", device.name())


def check_copies():
    numbers = numpy.arange(ELEMENTS, dtype=numpy.float32)
    first = cuda.to_device(numbers)
    second = cuda.mem_alloc(numbers.nbytes)
    cuda.memcpy_dtod(second, first, numbers.nbytes)
    require_equal(cuda.from_device_like(second, numbers), numbers, "copies")


def check_fills():
    words = numpy.empty(1000, dtype=numpy.uint32)
    memory = cuda.mem_alloc(words.nbytes)
    cuda.memset_d8(memory, 0x11, words.nbytes)
    cuda.memset_d32(int(memory) + 400, 0x22222222, 100)
    cuda.memcpy_dtoh(words, memory)
    expected = numpy.full(1000, 0x11111111, dtype=numpy.uint32)
    expected[100:200] = 0x22222222
    require_equal(words, expected, "fills")


def check_rectangle():
    image = numpy.arange(41 * 77, dtype=numpy.uint8).reshape(41, 77)
    memory, pitch = cuda.mem_alloc_pitch(77, 41, 4)
    copy = cuda.Memcpy2D()
    copy.set_src_host(image)
    copy.src_pitch = 77
    copy.set_dst_device(memory)
    copy.dst_pitch = pitch
    copy.width_in_bytes = 77
    copy.height = 41
    copy(aligned=False)
    found = numpy.zeros_like(image)
    back = cuda.Memcpy2D()
    back.set_src_device(memory)
    back.src_pitch = pitch
    back.set_dst_host(found)
    back.dst_pitch = 77
    back.width_in_bytes = 77
    back.height = 41
    back(aligned=False)
    require_equal(found, image, "rectangle")


def check_kernels(module):
    vadd = module.get_function("vadd")
    a = numpy.arange(ELEMENTS, dtype=numpy.float32)
    b = a * numpy.float32(0.25) - numpy.float32(7)
    c = numpy.zeros_like(a)
    size = numpy.uint32(ELEMENTS)
    vadd(cuda.In(a), cuda.In(b), cuda.Out(c), size, block=(THREADS, 1, 1), grid=(BLOCKS, 1))
    require_equal(c, a + b, "launch")
    require(vadd.num_regs > 0, f"registers: {vadd.num_regs}")

    scale = module.get_function("scale")
    scale.prepare("PIi")
    numbers = numpy.arange(ELEMENTS, dtype=numpy.int32)
    memory = cuda.to_device(numbers)
    scale.prepared_call((BLOCKS, 1), (THREADS, 1, 1), memory, ELEMENTS, 11)
    require_equal(cuda.from_device_like(memory, numbers), numbers * FACTOR + 11, "prepared launch")
    factor, size = module.get_global("factor")
    value = numpy.zeros(1, dtype=numpy.int32)
    cuda.memcpy_dtoh(value, factor)
    require((size, value[0]) == (4, FACTOR), f"factor: {value[0]}, {size} bytes")
    print("ok: variable of a module")


def check_streams_and_events(module):
    scale = module.get_function("scale")
    numbers = cuda.pagelocked_empty(ELEMENTS, numpy.int32)
    numbers[:] = numpy.arange(ELEMENTS, dtype=numpy.int32)
    expected = numbers.copy()
    first, second = cuda.Stream(), cuda.Stream()
    start, end = cuda.Event(), cuda.Event()
    memory = cuda.mem_alloc(numbers.nbytes)
    start.record(first)
    cuda.memcpy_htod_async(memory, numbers, first)
    for added in range(10):
        scale(
            memory,
            numpy.uint32(ELEMENTS),
            numpy.int32(added),
            block=(THREADS, 1, 1),
            grid=(BLOCKS, 1),
            stream=first,
        )
        expected = expected * numpy.int32(FACTOR) + numpy.int32(added)
    end.record(first)
    second.wait_for_event(end)
    cuda.memcpy_dtoh_async(numbers, memory, second)
    second.synchronize()
    require_equal(numbers, expected, "streams, and page-locked memory")
    require(end.query() and first.is_done(), "the stream is busy")
    require(start.time_till(end) > 0, "elapsed time")
    print("ok: events")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pycuda_client.py CUBIN")
    cuda.init()
    require(cuda.Device.count() == 1, f"devices: {cuda.Device.count()}")
    device = cuda.Device(0)
    context = device.make_context()
    try:
        check_device(device)
        with open(sys.argv[1], "rb") as file:
            module = cuda.module_from_buffer(file.read())
        check_copies()
        check_fills()
        check_rectangle()
        check_kernels(module)
        check_streams_and_events(module)
    finally:
        context.pop()
    print("passed")


try:
    main()
except Exception as error:
    print("FAILED:", error, file=sys.stderr)
    sys.exit(1)
