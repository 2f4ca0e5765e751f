// Counts the triangles of a graph: for each vertex, the triangles that contain it.
//
//   triangles [SCALE [EDGES [SEED]]]     (default: 11 16000 1)
//
// The graph has 2^SCALE vertices and at most EDGES edges. Its degrees are as unequal as those of social networks, because its edges are chosen as
// in the generator R-MAT (Chakrabarti, Zhan, Faloutsos, 2004). The exit status is 1 if the counts differ from those of the processor.
//
// Method: Each edge points from its end of lower degree to its end of higher degree. A triangle then has one edge a -> b whose ends have the third
// vertex as a common successor, so that it is found once; and no vertex has more than sqrt(2 * EDGES) successors. Each thread of the GPU
// intersects the successors of the two ends of one edge.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

typedef std::vector<std::pair<int, int>> Edges;

// Edges sorted by source. Those of vertex v have the numbers first[v] to first[v + 1] - 1, and ascending targets.
struct Graph {
  std::vector<int> first, sources, targets;
};

__global__ void countTriangles(int edges, const int *first, const int *sources, const int *targets, unsigned int *triangles) {
  const int edge = blockIdx.x * blockDim.x + threadIdx.x;
  if (edge >= edges) return;
  const int a = sources[edge], b = targets[edge];
  const int endOfA = first[a + 1], endOfB = first[b + 1];
  unsigned int found = 0;
  for (int i = first[a], j = first[b]; i < endOfA && j < endOfB;) {
    const int c = targets[i], d = targets[j];
    if (c == d) {
      atomicAdd(&triangles[c], 1u);
      found++;
    }
    i += c <= d;
    j += d <= c;
  }
  if (found > 0) {
    atomicAdd(&triangles[a], found);
    atomicAdd(&triangles[b], found);
  }
}

// Ends the program if a call has failed.
static void check(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "triangles: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}

template <class T> static T *copyToDevice(const std::vector<T> &values) {
  T *device;
  check(cudaMalloc(&device, values.size() * sizeof(T)), "cudaMalloc");
  check(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return device;
}

static std::vector<unsigned int> countOnDevice(const Graph &graph) {
  const int threads = 128, edges = (int)graph.targets.size();
  std::vector<unsigned int> triangles(graph.first.size() - 1);
  int *first = copyToDevice(graph.first), *sources = copyToDevice(graph.sources), *targets = copyToDevice(graph.targets);
  unsigned int *counts = copyToDevice(triangles);
  countTriangles<<<(edges + threads - 1) / threads, threads>>>(edges, first, sources, targets, counts);
  check(cudaGetLastError(), "countTriangles");
  check(cudaMemcpy(triangles.data(), counts, triangles.size() * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
  cudaFree(first);
  cudaFree(sources);
  cudaFree(targets);
  cudaFree(counts);
  return triangles;
}

// Counts in another way than the GPU: marks the neighbours of each vertex, without regard to degrees.
static std::vector<unsigned int> countOnProcessor(const Graph &undirected) {
  const int vertices = (int)undirected.first.size() - 1;
  std::vector<unsigned int> triangles(vertices);
  std::vector<bool> marked(vertices);
  const int *first = undirected.first.data(), *targets = undirected.targets.data();
  for (int a = 0; a < vertices; a++) {
    for (int i = first[a]; i < first[a + 1]; i++) marked[targets[i]] = true;
    for (int i = first[a]; i < first[a + 1]; i++) {
      const int b = targets[i];
      for (int j = first[b]; b > a && j < first[b + 1]; j++) {
        const int c = targets[j];
        if (c < b || !marked[c]) continue;
        triangles[a]++;
        triangles[b]++;
        triangles[c]++;
      }
    }
    for (int i = first[a]; i < first[a + 1]; i++) marked[targets[i]] = false;
  }
  return triangles;
}

// Chooses both ends of an edge bit by bit: of the four quarters of the adjacency matrix, the first has 57 percent of the edges, the last 5.
static Edges randomEdges(int scale, int count, unsigned int seed) {
  std::mt19937 random(seed);
  Edges edges;
  for (int i = 0; i < count; i++) {
    int a = 0, b = 0;
    for (int bit = 0; bit < scale; bit++) {
      const unsigned int percent = random() % 100;
      a = 2 * a + (percent >= 76);
      b = 2 * b + ((percent >= 57 && percent < 76) || percent >= 95);
    }
    if (a != b) edges.push_back(std::make_pair(std::min(a, b), std::max(a, b)));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

static Graph graphOf(int vertices, Edges edges) {
  std::sort(edges.begin(), edges.end());
  Graph graph;
  graph.first.resize(vertices + 1);
  for (const std::pair<int, int> &edge : edges) {
    graph.first[edge.first + 1]++;
    graph.sources.push_back(edge.first);
    graph.targets.push_back(edge.second);
  }
  for (int v = 0; v < vertices; v++) graph.first[v + 1] += graph.first[v];
  return graph;
}

static Graph undirectedGraph(int vertices, const Edges &edges) {
  Edges both = edges;
  for (const std::pair<int, int> &edge : edges) both.push_back(std::make_pair(edge.second, edge.first));
  return graphOf(vertices, both);
}

static Graph directedGraph(int vertices, const Edges &edges) {
  std::vector<int> degree(vertices);
  for (const std::pair<int, int> &edge : edges) {
    degree[edge.first]++;
    degree[edge.second]++;
  }
  Edges directed = edges;
  for (std::pair<int, int> &edge : directed) {
    if (degree[edge.first] > degree[edge.second]) std::swap(edge.first, edge.second);
  }
  return graphOf(vertices, directed);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 11;
  const int count = argc > 2 ? std::atoi(argv[2]) : 16000;
  const unsigned int seed = argc > 3 ? (unsigned int)std::strtoul(argv[3], NULL, 10) : 1;
  // A grid has at most 65,535 blocks of 128 threads in one dimension.
  if (scale < 2 || scale > 20 || count < 1 || count > 8000000) {
    std::fprintf(stderr, "usage: triangles [SCALE [EDGES [SEED]]], 2 <= SCALE <= 20, 1 <= EDGES <= 8000000\n");
    return 2;
  }
  const int vertices = 1 << scale;
  const Edges edges = randomEdges(scale, count, seed);

  const std::vector<unsigned int> result = countOnDevice(directedGraph(vertices, edges));
  const std::vector<unsigned int> expected = countOnProcessor(undirectedGraph(vertices, edges));

  int wrong = 0;
  unsigned long long triangles = 0;
  for (int v = 0; v < vertices; v++) {
    wrong += result[v] != expected[v];
    triangles += result[v];
  }
  std::printf("triangles: vertices=%d, edges=%d, triangles=%llu, wrong vertices=%d\n", vertices, (int)edges.size(), triangles / 3, wrong);
  return wrong != 0;
}
