// Conway's Game of Life on a torus. The GPU computes some generations of a random board, again and again; each result is compared with the
// processor's, which is computed once.
//
//   life SIZE GENERATIONS [RUNS]
//
// SIZE is the number of rows and columns, 3 to 4096. Without RUNS, the program ends with SIGTERM. It prints "busy" when the first result is
// verified. While it verifies a result, the next run is queued on another stream, so that the GPU need not wait.
//
// Exit status: 0 if all results are right.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

typedef unsigned char cell;

static const int largest = 4096;
static const int block = 16;

static volatile std::sig_atomic_t must_end;

static void request_end(int) { must_end = 1; }

// Rule of the game: a cell lives if it has three neighbours, or has two and lived before.
static __host__ __device__ cell next(const cell *board, int size, int x, int y) {
  int left = x == 0 ? size - 1 : x - 1, right = x == size - 1 ? 0 : x + 1;
  const cell *above = board + (y == 0 ? size - 1 : y - 1) * size;
  const cell *row = board + y * size;
  const cell *below = board + (y == size - 1 ? 0 : y + 1) * size;
  int neighbours = above[left] + above[x] + above[right] + row[left] + row[right] + below[left] + below[x] + below[right];
  return neighbours == 3 || (neighbours == 2 && row[x]);
}

__global__ void generation(const cell *from, cell *to, int size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < size && y < size) to[y * size + x] = next(from, size, x, y);
}

static void check(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "life: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}

#define CHECK(call) check(call, #call)

static int number(const char *name, const char *text, int least, int most) {
  char *end;
  long value = std::strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < least || value > most) {
    std::fprintf(stderr, "life: %s=%s, expected %d to %d\n", name, text, least, most);
    std::exit(2);
  }
  return static_cast<int>(value);
}

// A stream with its boards, and a run that may be queued on it.
class Player {
 public:
  Player(const std::vector<cell> &first, int size) : size(size), bytes(first.size()) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&start, bytes));
    for (cell *&board : boards) CHECK(cudaMalloc(&board, bytes));
    CHECK(cudaMallocHost(&result, bytes));
    CHECK(cudaMemcpy(start, first.data(), bytes, cudaMemcpyHostToDevice));
  }

  void queue(int generations) {
    std::memset(result, 0xff, bytes);
    dim3 threads(block, block), blocks((size + block - 1) / block, (size + block - 1) / block);
    const cell *from = start;
    for (int i = 0; i < generations; i++) {
      cell *to = boards[i % 2];
      generation<<<blocks, threads, 0, stream>>>(from, to, size);
      from = to;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result, from, bytes, cudaMemcpyDeviceToHost, stream));
  }

  // Waits for the queued run, and ends the program if its result is wrong.
  void verify(const std::vector<cell> &expected) {
    CHECK(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < bytes; i++) {
      if (result[i] != expected[i]) {
        std::fprintf(stderr, "life: cell %zu=%d, expected %d\n", i, result[i], expected[i]);
        std::exit(1);
      }
    }
  }

  void release() {
    CHECK(cudaFreeHost(result));
    for (cell *board : boards) CHECK(cudaFree(board));
    CHECK(cudaFree(start));
    CHECK(cudaStreamDestroy(stream));
  }

 private:
  int size;
  size_t bytes;
  cudaStream_t stream;
  cell *start, *boards[2], *result;
};

static std::vector<cell> randomBoard(int size) {
  std::vector<cell> board(static_cast<size_t>(size) * size);
  unsigned state = 1;
  for (cell &each : board) {
    state = state * 1664525u + 1013904223u;
    each = state >> 31;
  }
  return board;
}

static std::vector<cell> played(std::vector<cell> board, int size, int generations) {
  std::vector<cell> other(board.size());
  for (int i = 0; i < generations; i++) {
    for (int y = 0; y < size; y++)
      for (int x = 0; x < size; x++) other[static_cast<size_t>(y) * size + x] = next(board.data(), size, x, y);
    board.swap(other);
  }
  return board;
}

int main(int count, char **arguments) {
  if (count < 3 || count > 4) {
    std::fprintf(stderr, "usage: life SIZE GENERATIONS [RUNS]\n");
    return 2;
  }
  int size = number("SIZE", arguments[1], 3, largest);
  int generations = number("GENERATIONS", arguments[2], 1, 1000000);
  int most = count == 4 ? number("RUNS", arguments[3], 1, 1000000000) : 0;
  std::signal(SIGTERM, request_end);

  std::vector<cell> first = randomBoard(size);
  std::vector<cell> expected = played(first, size, generations);
  Player players[] = {Player(first, size), Player(first, size)};
  long runs = 0;
  players[0].queue(generations);
  while (true) {
    bool last = must_end || (most > 0 && runs + 1 == most);
    if (!last) players[(runs + 1) % 2].queue(generations);
    players[runs % 2].verify(expected);
    if (runs++ == 0) {
      std::puts("busy");
      std::fflush(stdout);
    }
    if (last) break;
  }
  for (Player &player : players) player.release();
  std::printf("life: passed: runs=%ld, generations=%d, cells=%zu\n", runs, generations, first.size());
  return 0;
}
