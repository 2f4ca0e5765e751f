// Aligns pairs of DNA sequences locally: Smith and Waterman's algorithm, with Gotoh's affine costs of gaps.
//
//   smith_waterman [PAIRS [QUERY [SUBJECT [SEED]]]]     (default: 24 120 300 1)
//
// QUERY and SUBJECT are lengths. The subjects are random; a query is a piece of its subject with substitutions, insertions and deletions. The exit
// status is 1 if a best score or its place differs from the processor's, or if the alignment that belongs to it does not have this score.
//
// Method: A block aligns one pair, and a thread computes one row of the matrix, for one symbol of the query. In each step, the threads compute one
// antidiagonal, whose cells do not depend on each other: thread i is i columns behind thread 0. A cell needs its left neighbour, which the same thread
// has computed in the step before, and its upper neighbours, which the thread above has computed one and two steps before.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime.h>

enum { MATCH = 5, MISMATCH = -4, OPEN = -12, EXTEND = -2 };  // OPEN is the score of a gap's first symbol, EXTEND that of each further one

// Less than every score, and far from an overflow.
enum { IMPOSSIBLE = INT_MIN / 2 };

// How a cell got its score: the low two bits tell the best alignment's last column; the others, whether the best gap that ends here is longer than 1.
enum { START = 0, PAIR = 1, GAP_IN_QUERY = 2, GAP_IN_SUBJECT = 3, LAST = 3, LONGER_IN_QUERY = 4, LONGER_IN_SUBJECT = 8 };

// End of the best alignment. Of equal scores, the one in the first row counts, and in this row the first column.
struct Best {
  int score, row, column;
};

__host__ __device__ static bool isBetter(const Best &a, const Best &b) {
  return a.score > b.score || (a.score == b.score && (a.row < b.row || (a.row == b.row && a.column < b.column)));
}

// Aligns the pair blockIdx.x. The block has one thread for each symbol of the query. The origins of a pair are stored by antidiagonals, so that the
// threads of a warp write consecutive bytes.
__global__ void align(const char *queries, const char *subjects, int subjectLength, Best *bests, unsigned char *origins) {
  extern __shared__ int memory[];
  const int queryLength = blockDim.x, row = threadIdx.x, width = queryLength + 1;
  const char symbol = queries[blockIdx.x * queryLength + row];
  const char *subject = subjects + blockIdx.x * subjectLength;
  origins += (size_t)blockIdx.x * (queryLength + subjectLength - 1) * queryLength;

  // Scores of the last antidiagonal, and of the one that is being computed; [0] is the row above the matrix. A gap in the query ends in the cell's
  // row, a gap in the subject in its column.
  int *scores[2] = {memory, memory + width}, *subjectGaps[2] = {memory + 2 * width, memory + 3 * width};
  for (int buffer = 0; buffer < 2; buffer++) {
    scores[buffer][row + 1] = 0;
    subjectGaps[buffer][row + 1] = IMPOSSIBLE;
    if (row == 0) {
      scores[buffer][0] = 0;
      subjectGaps[buffer][0] = IMPOSSIBLE;
    }
  }
  __syncthreads();

  Best best = {0, row, 0};
  int left = 0, queryGap = IMPOSSIBLE, upperLeft = 0;
  for (int step = 0; step < queryLength + subjectLength - 1; step++) {
    const int column = step - row, now = step & 1, before = 1 - now;
    if (column >= 0 && column < subjectLength) {
      const int upper = scores[before][row];
      const int opened = left + OPEN, longer = queryGap + EXTEND;
      const int openedAbove = upper + OPEN, longerAbove = subjectGaps[before][row] + EXTEND;
      queryGap = max(opened, longer);
      const int subjectGap = max(openedAbove, longerAbove);
      const int pair = upperLeft + (symbol == subject[column] ? MATCH : MISMATCH);
      const int score = max(max(pair, 0), max(queryGap, subjectGap));

      int origin = score == 0 ? START : score == pair ? PAIR : score == queryGap ? GAP_IN_QUERY : GAP_IN_SUBJECT;
      if (longer > opened) origin |= LONGER_IN_QUERY;
      if (longerAbove > openedAbove) origin |= LONGER_IN_SUBJECT;
      origins[step * queryLength + row] = (unsigned char)origin;

      const Best cell = {score, row, column};
      if (isBetter(cell, best)) best = cell;
      scores[now][row + 1] = score;
      subjectGaps[now][row + 1] = subjectGap;
      upperLeft = upper;
      left = score;
    }
    __syncthreads();
  }

  // The best cell of all rows.
  __shared__ Best rows[1024];
  rows[row] = best;
  __syncthreads();
  for (int count = queryLength; count > 1; count = (count + 1) / 2) {
    const int other = row + (count + 1) / 2;
    if (other < count && isBetter(rows[other], rows[row])) rows[row] = rows[other];
    __syncthreads();
  }
  if (row == 0) bests[blockIdx.x] = rows[0];
}

// Ends the program if a call has failed.
static void check(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "smith_waterman: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}

static std::string join(const std::vector<std::string> &sequences) {
  std::string all;
  for (const std::string &sequence : sequences) all += sequence;
  return all;
}

static void alignOnDevice(const std::vector<std::string> &queries, const std::vector<std::string> &subjects, std::vector<Best> &bests,
    std::vector<unsigned char> &origins) {
  const std::string allQueries = join(queries), allSubjects = join(subjects);
  const int queryLength = (int)queries[0].size(), subjectLength = (int)subjects[0].size(), pairs = (int)queries.size();
  char *deviceQueries, *deviceSubjects;
  Best *deviceBests;
  unsigned char *deviceOrigins;
  check(cudaMalloc(&deviceQueries, allQueries.size()), "cudaMalloc");
  check(cudaMalloc(&deviceSubjects, allSubjects.size()), "cudaMalloc");
  check(cudaMalloc(&deviceBests, bests.size() * sizeof(Best)), "cudaMalloc");
  check(cudaMalloc(&deviceOrigins, origins.size()), "cudaMalloc");
  check(cudaMemcpy(deviceQueries, allQueries.data(), allQueries.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemcpy(deviceSubjects, allSubjects.data(), allSubjects.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemset(deviceBests, 0, bests.size() * sizeof(Best)), "cudaMemset");
  check(cudaMemset(deviceOrigins, 0, origins.size()), "cudaMemset");
  align<<<pairs, queryLength, 4 * (queryLength + 1) * sizeof(int)>>>(deviceQueries, deviceSubjects, subjectLength, deviceBests, deviceOrigins);
  check(cudaGetLastError(), "align");
  check(cudaMemcpy(bests.data(), deviceBests, bests.size() * sizeof(Best), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaMemcpy(origins.data(), deviceOrigins, origins.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  cudaFree(deviceQueries);
  cudaFree(deviceSubjects);
  cudaFree(deviceBests);
  cudaFree(deviceOrigins);
}

// Computes the whole matrix row by row.
static Best alignOnProcessor(const std::string &query, const std::string &subject) {
  std::vector<int> scores(subject.size() + 1), subjectGaps(subject.size() + 1, IMPOSSIBLE);
  Best best = {0, 0, 0};
  for (int row = 0; row < (int)query.size(); row++) {
    int queryGap = IMPOSSIBLE, upperLeft = 0;
    for (int column = 0; column < (int)subject.size(); column++) {
      queryGap = std::max(scores[column] + OPEN, queryGap + EXTEND);
      int &subjectGap = subjectGaps[column + 1], &score = scores[column + 1];
      subjectGap = std::max(score + OPEN, subjectGap + EXTEND);
      const int pair = upperLeft + (query[row] == subject[column] ? MATCH : MISMATCH);
      upperLeft = score;
      score = std::max(std::max(pair, 0), std::max(queryGap, subjectGap));
      const Best cell = {score, row, column};
      if (isBetter(cell, best)) best = cell;
    }
  }
  return best;
}

// Alignment as two lines of equal length, with a '-' for each symbol of a gap.
struct Alignment {
  std::string query, subject;
};

// Follows the origins from the best cell to the beginning of the alignment.
static Alignment follow(const std::string &query, const std::string &subject, const Best &best, const unsigned char *origins) {
  Alignment alignment;
  int row = best.row, column = best.column, gap = START;
  while (row >= 0 && column >= 0) {
    const int origin = origins[(row + column) * query.size() + row];
    const int last = gap != START ? gap : origin & LAST;
    if (last == START) break;
    alignment.query.insert(0, 1, last == GAP_IN_QUERY ? '-' : query[row]);
    alignment.subject.insert(0, 1, last == GAP_IN_SUBJECT ? '-' : subject[column]);
    const bool longer = (last == GAP_IN_QUERY && (origin & LONGER_IN_QUERY)) || (last == GAP_IN_SUBJECT && (origin & LONGER_IN_SUBJECT));
    gap = longer ? last : START;
    row -= last != GAP_IN_QUERY;
    column -= last != GAP_IN_SUBJECT;
  }
  return alignment;
}

static int scoreOf(const Alignment &alignment) {
  int score = 0;
  for (size_t i = 0; i < alignment.query.size(); i++) {
    const char a = alignment.query[i], b = alignment.subject[i];
    const bool longer = i > 0 && ((a == '-' && alignment.query[i - 1] == '-') || (b == '-' && alignment.subject[i - 1] == '-'));
    score += a == '-' || b == '-' ? (longer ? EXTEND : OPEN) : a == b ? MATCH : MISMATCH;
  }
  return score;
}

static std::string randomSequence(int length, std::mt19937 &random) {
  std::string sequence;
  while ((int)sequence.size() < length) sequence += "ACGT"[random() % 4];
  return sequence;
}

// Copies a piece of the subject. Of a hundred symbols, two follow an insertion, two a deletion, and twelve are random.
static std::string mutatedPiece(const std::string &subject, int length, std::mt19937 &random) {
  std::string query;
  for (size_t i = random() % subject.size(); (int)query.size() < length; i = (i + 1) % subject.size()) {
    const unsigned int percent = random() % 100;
    if (percent < 2) query += randomSequence(1 + random() % 4, random);
    if (percent >= 2 && percent < 4) i = (i + 1 + random() % 4) % subject.size();
    query += percent >= 88 ? "ACGT"[random() % 4] : subject[i];
  }
  return query.substr(0, length);
}

int main(int argc, char **argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 24;
  const int queryLength = argc > 2 ? std::atoi(argv[2]) : 120;
  const int subjectLength = argc > 3 ? std::atoi(argv[3]) : 300;
  const unsigned int seed = argc > 4 ? (unsigned int)std::strtoul(argv[4], NULL, 10) : 1;
  // A block has at most 1,024 threads.
  if (pairs < 1 || pairs > 65535 || queryLength < 1 || queryLength > 1024 || subjectLength < 1 || subjectLength > 65536) {
    std::fprintf(stderr, "usage: smith_waterman [PAIRS [QUERY [SUBJECT [SEED]]]], PAIRS <= 65535, QUERY <= 1024, SUBJECT <= 65536\n");
    return 2;
  }
  std::mt19937 random(seed);
  std::vector<std::string> queries, subjects;
  for (int i = 0; i < pairs; i++) {
    subjects.push_back(randomSequence(subjectLength, random));
    queries.push_back(mutatedPiece(subjects[i], queryLength, random));
  }

  const size_t cells = (size_t)(queryLength + subjectLength - 1) * queryLength;
  std::vector<Best> bests(pairs);
  std::vector<unsigned char> origins(pairs * cells);
  alignOnDevice(queries, subjects, bests, origins);

  int wrong = 0;
  for (int i = 0; i < pairs; i++) {
    const Best expected = alignOnProcessor(queries[i], subjects[i]);
    const Alignment alignment = follow(queries[i], subjects[i], bests[i], &origins[i * cells]);
    if (i == 0) std::printf("%s\n%s\n", alignment.query.c_str(), alignment.subject.c_str());
    const bool right = bests[i].score == expected.score && bests[i].row == expected.row && bests[i].column == expected.column &&
        scoreOf(alignment) == expected.score;
    if (right) continue;
    wrong++;
    std::printf("pair %d: score=%d in row %d, column %d, alignment's score=%d, expected=%d in row %d, column %d\n", i, bests[i].score, bests[i].row,
        bests[i].column, scoreOf(alignment), expected.score, expected.row, expected.column);
  }
  std::printf("smith_waterman: pairs=%d, wrong=%d\n", pairs, wrong);
  return wrong != 0;
}
