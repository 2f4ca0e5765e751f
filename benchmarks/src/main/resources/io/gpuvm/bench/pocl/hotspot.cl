// Computes the temperature of a chip after some time steps. The algorithm is that of workloads'
// hotspot.sass, statement by statement.

#pragma OPENCL FP_CONTRACT OFF

#define TILE 16 // rows and columns of a tile and of a block
#define MOST_STEPS 2
#define INNER (TILE - 2 * MOST_STEPS)

kernel void hotspot(
        global const float *power, global const float *before, global float *after, uint columns,
        uint rows,
        int steps,  // 1 to MOST_STEPS
        float step, // duration of a step in seconds, divided by the heat capacity
        float rx, float ry, float rz, // reciprocals of the thermal resistances
        float ambient) {
    local float tile[TILE * TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const uint column = get_group_id(0) * INNER + x - MOST_STEPS; // On the chip, if the cell exists.
    const uint row = get_group_id(1) * INNER + y - MOST_STEPS;
    const bool onChip = column < columns && row < rows;
    const uint index = row * columns + column;
    const int place = y * TILE + x;
    float temperature = 0;
    float powerHere = 0;
    if (onChip) {
        powerHere = power[index];
        temperature = before[index];
        tile[place] = temperature;
    }

    // Places of the neighbours. At the chip's edges, a neighbour is the cell itself.
    const int west = column == 0 ? place : place - 1;
    const int east = column + 1 == columns ? place : place + 1;
    const int north = row == 0 ? place : place - TILE;
    const int south = row + 1 == rows ? place : place + TILE;

    int beyond = TILE - 1; // First x and y whose values are no longer valid.
    for (int i = 1;; i++) {
        const bool right = onChip && x >= i && x < beyond && y >= i && y < beyond;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right) {
            const float alongY = fma(temperature, -2.0f, tile[north] + tile[south]);
            const float alongX = fma(temperature, -2.0f, tile[east] + tile[west]);
            float heat = fma(alongY, ry, powerHere);
            heat = fma(alongX, rx, heat);
            heat = fma(ambient - temperature, rz, heat);
            temperature = fma(heat, step, temperature);
        }
        if (i >= steps) {
            break;
        }
        barrier(CLK_LOCAL_MEM_FENCE); // All threads have read the values that now change.
        if (right) {
            tile[place] = temperature;
        }
        beyond--;
    }

    // Stores only cells on the chip whose values are valid after any number of steps.
    if (onChip && x >= MOST_STEPS && x < TILE - MOST_STEPS && y >= MOST_STEPS
            && y < TILE - MOST_STEPS) {
        after[index] = temperature;
    }
}
