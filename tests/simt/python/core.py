"""A program over cuda.core: a template, memory of a pool, a stream, events, a graph; PTX is refused in words."""
import ctypes

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, EventOptions, LaunchConfig, ObjectCode, Program, ProgramOptions, launch

KERNEL = """
template <typename T> __global__ void scale(T *data, T factor, size_t count) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}
"""


def main():
    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    code = Program(KERNEL, code_type="c++", options=options).compile("cubin", name_expressions=("scale<float>",))
    kernel = code.get_kernel("scale<float>")
    assert kernel.num_arguments == 3 and kernel.attributes.max_threads_per_block == 1024
    numbers = np.arange(1, 1001, dtype=np.float32)
    buffer = device.allocate(numbers.nbytes, stream=stream)
    there = int(buffer.handle)
    driver.cuMemcpyHtoD(there, numbers.ctypes.data, numbers.nbytes)
    begin, end = (device.create_event(EventOptions(timing_enabled=True)) for _ in range(2))
    stream.record(begin)
    launch(stream, LaunchConfig(grid=8, block=128), kernel, buffer, ctypes.c_float(3), ctypes.c_size_t(1000))
    stream.record(end)
    stream.sync()
    assert end - begin >= 0
    graph = stream.create_graph_builder().begin_building()
    launch(graph, LaunchConfig(grid=8, block=128), kernel, buffer, ctypes.c_float(2), ctypes.c_size_t(1))
    graph.end_building().complete().launch(stream)
    stream.sync()
    driver.cuMemcpyDtoH(numbers.ctypes.data, there, numbers.nbytes)
    buffer.close(stream)
    print(numbers[0], numbers[999])
    try:
        ObjectCode.from_ptx(b"//\n.version 8.0\n.target sm_90\n").get_kernel("k")
    except Exception as error:
        print(error)


main()
