// Multiplies two matrices of n rows and columns of integers, stored row by row: c = a * b. The
// algorithm is that of workloads' mmul.sass, statement by statement.

#define TILE 16 // rows and columns of a tile and of a block

kernel void mmul(global const uint *a, global const uint *b, global uint *c, uint n) {
    local uint tileA[TILE][TILE];
    local uint tileB[TILE][TILE];
    const uint x = get_local_id(0);
    const uint y = get_local_id(1);
    const uint column = get_group_id(0) * TILE + x;
    const uint row = get_group_id(1) * TILE + y;
    uint sum = 0;
    for (uint tile = 0; tile < n; tile += TILE) {
        tileA[y][x] = row < n && tile + x < n ? a[row * n + tile + x] : 0;
        tileB[y][x] = column < n && tile + y < n ? b[(tile + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); // The tiles are complete.
#pragma unroll
        for (uint i = 0; i < TILE; i++) {
            sum += tileA[y][i] * tileB[i][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE); // No thread needs the tiles any longer.
    }
    if (row < n && column < n) {
        c[row * n + column] = sum;
    }
}
