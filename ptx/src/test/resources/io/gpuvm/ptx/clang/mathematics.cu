// Results of functions of doubles for all inputs: those of a function after those of the function before it.
extern "C" __global__ void mathematics(const double *inputs, double *results, int count) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  double x = inputs[n];
  results[n] = sin(x);
  results[count + n] = cos(x);
  results[2 * count + n] = tan(x);
  results[3 * count + n] = exp(x);
  results[4 * count + n] = log(fabs(x));
  results[5 * count + n] = atan(x);
  results[6 * count + n] = cbrt(x);
  results[7 * count + n] = tanh(x);
  results[8 * count + n] = pow(fabs(x), 1.75);
}
