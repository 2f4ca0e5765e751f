/* Functions of OpenMP that programs in files with kernels use. */
#ifndef OMP_H
#define OMP_H
extern "C" {
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
void omp_set_num_threads(int count);
double omp_get_wtime(void);
}
#endif
