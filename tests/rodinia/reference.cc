/*
 * Library in the place of libcuda.so.1 that runs kernels on the processor: the module is a library that a C++ compiler has made of
 * the same source (KERNELS_ON_PROCESSOR in cuda_kernels.h). Blocks run one after another, the threads of a block as coroutines that
 * change at barriers. The folder in the environment variable REFERENCE_KERNELS has a library NAME.so for each module NAME.cubin.
 */
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

#include "include/cuda.h"

struct uint3 { unsigned int x, y, z; };
extern "C" {
uint3 kernels_thread, kernels_block, kernels_block_size, kernels_grid_size;
}

/* Saves the registers that a function preserves on the stack and the stack's address in FROM, and continues on another stack. */
extern "C" void switch_stack(void **from, void *to);
asm(".text\n"
    ".globl switch_stack\n"
    ".hidden switch_stack\n"
    "switch_stack:\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  mov %rsp, (%rdi)\n"
    "  mov %rsi, %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  ret\n");

namespace {
const int saved_registers = 6;
const CUresult ok = CUDA_SUCCESS;
const CUresult not_found = 500;
const size_t stack_bytes = 128 << 10;
const int whole_registers = 6;
const int float_registers = 8;
const int stack_words = 16;

/* Kernel with the classes of its parameters: 'w' whole numbers and pointers, 'i' 32-bit whole numbers, 'f' floats, 'd' doubles. */
struct Kernel {
  void *code;
  std::string parameters;
};

/* Arguments in the places of the calling convention of x86-64. */
struct Arguments {
  long whole[whole_registers];
  double floats[float_registers];
  long stack[stack_words];
};

struct Thread {
  void *stack;
  uint3 index;
  bool ended;
};

void *scheduler;
Thread *current;
std::vector<Thread> threads;
std::vector<char> stacks;
void *running;
Arguments arguments;

void call() {
  typedef void (*Code)(long, long, long, long, long, long, double, double, double, double, double, double, double, double, long, long, long,
                       long, long, long, long, long, long, long, long, long, long, long, long, long);
  const Arguments &a = arguments;
  const long *w = a.whole, *s = a.stack;
  const double *f = a.floats;
  ((Code)running)(w[0], w[1], w[2], w[3], w[4], w[5], f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], s[0], s[1], s[2], s[3], s[4], s[5], s[6],
                  s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15]);
  current->ended = true;
  switch_stack(&current->stack, scheduler);
}

/* Runs each thread of a block to its next barrier, until all have ended. */
void run_block() {
  size_t count = threads.size();
  unsigned int number = 0;
  for (size_t i = 0; i < count; i++, number++) {
    Thread &thread = threads[i];
    unsigned int x = kernels_block_size.x, y = kernels_block_size.y;
    thread.index = {number % x, number / x % y, number / x / y};
    thread.ended = false;
    /* The stack of a function at its start: a multiple of 16, less 8 for the return address, which is not used. */
    void **top = (void **)(((size_t)stacks.data() + (i + 1) * stack_bytes) & -16ul) - 2;
    top[-1] = (void *)call;
    thread.stack = top - 1 - saved_registers;
  }
  for (size_t left = count; left > 0;) {
    for (Thread &thread : threads) {
      if (thread.ended) continue;
      current = &thread;
      kernels_thread = thread.index;
      switch_stack(&scheduler, thread.stack);
      if (thread.ended) left--;
    }
  }
}

std::string parameters_of(const char *name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string demangled = status == 0 ? text : "";
  free(text);
  std::string classes;
  size_t at = demangled.find('(');
  while (at != std::string::npos && demangled[at] != ')') {
    size_t end = demangled.find_first_of(",)", at + 1);
    std::string type = demangled.substr(at + 1, end - at - 1);
    if (type.find('*') != std::string::npos || type.find("long") != std::string::npos) {
      classes += 'w';
    } else if (type.find("float") != std::string::npos) {
      classes += 'f';
    } else if (type.find("double") != std::string::npos) {
      classes += 'd';
    } else if (!type.empty()) {
      classes += 'i';
    }
    at = end;
  }
  return classes;
}

bool place(const Kernel &kernel, void **parameters) {
  int whole = 0, floats = 0, stack = 0;
  memset(&arguments, 0, sizeof(arguments));
  for (size_t i = 0; i < kernel.parameters.size(); i++) {
    char kind = kernel.parameters[i];
    bool real = kind == 'f' || kind == 'd';
    void *to = real ? (floats < float_registers ? (void *)&arguments.floats[floats++] : nullptr)
                    : (whole < whole_registers ? (void *)&arguments.whole[whole++] : nullptr);
    if (to == nullptr) {
      if (stack == stack_words) return false;
      to = &arguments.stack[stack++];
    }
    memcpy(to, parameters[i], kind == 'f' || kind == 'i' ? 4 : 8);
  }
  return true;
}
}  // namespace

extern "C" {
void kernels_barrier(void) { switch_stack(&current->stack, scheduler); }

CUresult cuInit(unsigned int) { return ok; }
CUresult cuDeviceGetCount(int *count) { *count = 1; return ok; }
CUresult cuDeviceGet(CUdevice *device, int) { *device = 0; return ok; }
CUresult cuCtxCreate(CUcontext *context, unsigned int, CUdevice) { *context = (CUcontext)&threads; return ok; }
CUresult cuCtxDestroy(CUcontext) { return ok; }
CUresult cuCtxSynchronize(void) { return ok; }
CUresult cuModuleUnload(CUmodule) { return ok; }

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  std::string name = path;
  name = name.substr(name.find_last_of('/') + 1);
  std::string file = std::string(getenv("REFERENCE_KERNELS")) + "/" + name.substr(0, name.find('.')) + ".so";
  *module = (CUmodule)dlopen(file.c_str(), RTLD_NOW);
  if (*module == nullptr) fprintf(stderr, "reference: %s\n", dlerror());
  return *module == nullptr ? not_found : ok;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  void *code = dlsym(module, name);
  *function = code == nullptr ? nullptr : (CUfunction) new Kernel{code, parameters_of(name)};
  return code == nullptr ? not_found : ok;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  void *at = dlsym(module, name);
  Dl_info information;
  const ElfW(Sym) *symbol = nullptr;
  if (at == nullptr || !dladdr1(at, &information, (void **)&symbol, RTLD_DL_SYMENT)) return not_found;
  *address = (CUdeviceptr)at;
  *bytes = symbol->st_size;
  return ok;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) { *address = (CUdeviceptr)calloc(bytes, 1); return ok; }
CUresult cuMemFree(CUdeviceptr address) { free((void *)address); return ok; }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return ok; }
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) { memcpy(to, (void *)from, bytes); return ok; }

CUresult cuLaunchKernel
    (CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY,
     unsigned int blockZ, unsigned int, CUstream, void **parameters, void **) {
  const Kernel &kernel = *(const Kernel *)function;
  if (!place(kernel, parameters)) return 1;
  running = kernel.code;
  kernels_grid_size = {gridX, gridY, gridZ};
  kernels_block_size = {blockX, blockY, blockZ};
  threads.resize(blockX * blockY * blockZ);
  if (stacks.size() < threads.size() * stack_bytes) stacks.resize(threads.size() * stack_bytes);
  for (unsigned int z = 0; z < gridZ; z++) {
    for (unsigned int y = 0; y < gridY; y++) {
      for (unsigned int x = 0; x < gridX; x++) {
        kernels_block = {x, y, z};
        run_block();
      }
    }
  }
  return ok;
}
}
