// Multiplies two matrices of n rows and columns of floats, stored row by row: c = a * b. The
// algorithm is that of workloads' fmmul.sass, statement by statement.

#pragma OPENCL FP_CONTRACT OFF

#define TILE 16 // rows and columns of a tile and of a block

kernel void fmmul(global const float *a, global const float *b, global float *c, uint n) {
    local float tileA[TILE][TILE];
    local float tileB[TILE][TILE];
    const uint x = get_local_id(0);
    const uint y = get_local_id(1);
    const uint column = get_group_id(0) * TILE + x;
    const uint row = get_group_id(1) * TILE + y;
    float sum = 0;
    for (uint tile = 0; tile < n; tile += TILE) {
        tileA[y][x] = row < n && tile + x < n ? a[row * n + tile + x] : 0;
        tileB[y][x] = column < n && tile + y < n ? b[(tile + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); // The tiles are complete.
#pragma unroll
        for (uint i = 0; i < TILE; i++) {
            sum = fma(tileA[y][i], tileB[i][x], sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // No thread needs the tiles any longer.
    }
    if (row < n && column < n) {
        c[row * n + column] = sum;
    }
}
