/* Requests for measurements of workloads. */
#ifndef CUDA_CLIENTS_REQUESTS_H
#define CUDA_CLIENTS_REQUESTS_H

#include "workload.h"

/* Returns the time by the monotonic clock in nanoseconds. */
uint64_t now(void);

/* Returns the workload with a name. Fails if there is none. */
const struct workload *workload_named(const char *name);

/* Prepares the input of a workload, unless it is already prepared. */
void prepare_workload(const struct workload *workload, unsigned size, uint64_t seed);

/* Times of a run's phases. */
enum phase { INITIALIZE, COPY_IN, LAUNCH, COPY_OUT, CLOSE, PHASES };

/* Executes a phase, and returns its nanoseconds. */
uint64_t run_phase(const struct workload *workload, enum phase phase, const char *folder);

/* Runs a workload once, and verifies its result. */
void run_workload(const struct workload *workload, unsigned size, uint64_t seed, const char *folder, uint64_t ns[PHASES]);

/*
 * Answers requests from the standard input, as `gpuvm measure` does: docs/evaluation.md specifies both. A request that fails is answered
 * with the reason; the next one has a new context.
 */
void answer_requests(CUcontext context, uint64_t context_ns, const char *folder);

#endif
