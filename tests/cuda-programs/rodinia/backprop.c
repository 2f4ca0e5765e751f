/*
 * Reference of Rodinia's backprop: trains the same network once with the functions of the program for OpenMP. Prints the sums that each block
 * of the GPU's first kernel adds for the hidden layer, or the weights between the input and the hidden layer after the second one: backprop
 * INPUTS sums|weights. Compiled with backprop.c and imagenet.c of that program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backprop.h"

#define HIDDEN 16
#define OUTPUTS 1
#define SEED 7
#define BLOCK 16 /* inputs of a block */

int layer_size;

static void print_sums(BPNN *net)
{
    int first, row, column;
    for (first = 1; first <= layer_size; first += BLOCK)
        for (column = 1; column <= HIDDEN; column++) {
            double sum = 0;
            for (row = first; row < first + BLOCK; row++)
                sum += net->input_weights[row][column] * net->input_units[row];
            printf("%.9g\n", sum);
        }
}

static void print_weights(BPNN *net)
{
    float error;
    int row, column;
    bpnn_layerforward(net->input_units, net->hidden_units, net->input_weights, layer_size, HIDDEN);
    bpnn_layerforward(net->hidden_units, net->output_units, net->hidden_weights, HIDDEN, OUTPUTS);
    bpnn_output_error(net->output_delta, net->target, net->output_units, OUTPUTS, &error);
    bpnn_hidden_error(net->hidden_delta, HIDDEN, net->output_delta, OUTPUTS, net->hidden_weights, net->hidden_units, &error);
    bpnn_adjust_weights(net->output_delta, OUTPUTS, net->hidden_units, HIDDEN, net->hidden_weights, net->hidden_prev_weights);
    bpnn_adjust_weights(net->hidden_delta, HIDDEN, net->input_units, layer_size, net->input_weights, net->input_prev_weights);
    for (row = 0; row <= layer_size; row++)
        for (column = 0; column <= HIDDEN; column++)
            printf("%.9g\n", net->input_weights[row][column]);
}

int main(int count, char **words)
{
    BPNN *net;
    if (count != 3 || (layer_size = atoi(words[1])) <= 0)
        return 2;
    bpnn_initialize(SEED);
    net = bpnn_create(layer_size, HIDDEN, OUTPUTS);
    load(net);
    if (strcmp(words[2], "sums") == 0)
        print_sums(net);
    else
        print_weights(net);
    return fflush(stdout) != 0;
}
