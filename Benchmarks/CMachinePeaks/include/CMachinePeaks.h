// Loops that reach the peak throughput of one core: multiply-adds in registers, int8 products in registers, and passes over memory. Benchmarks compare
// kernels with them in the same run, because the clock of a CPU and its neighbors change from run to run.
#pragma once

#include <stdint.h>

/// The loops for one instruction set. A vector is one register.
typedef struct swiftlet_machine_peaks {
  /// The name, as in SWIFTLET_ISA.
  const char *_Nonnull name;
  /// The number of float32 elements in a vector.
  intptr_t lanes;
  /// The number of independent chains, more than the units of a core times their latency, and at most as many as the registers allow.
  intptr_t chains;
  /// The number of int8 products per chain and iteration of `dot`.
  intptr_t products;

  /// Computes `x[i] = x[i] * factor + summand` on a vector per chain, `iterations` times. `values` holds a vector of factors, a vector of summands, and the
  /// chains, which change.
  void (*_Nonnull multiply_add)(intptr_t iterations, float *_Nonnull values);
  /// Adds products of int8 vectors to sums of 32 bits, a vector per chain, `iterations` times. `values` holds two vectors of factors, in the form in
  /// which the instruction takes them, and the chains, which change.
  void (*_Nonnull dot)(intptr_t iterations, int32_t *_Nonnull values);
  /// Adds up the elements, out of `count`, that fill groups of eight vectors. Returns the sum.
  float (*_Nonnull read)(intptr_t count, const float *_Nonnull input);
  /// Computes `output[i] = input[i] * factor` for the elements, out of `count`, that fill groups of four vectors.
  void (*_Nonnull scale)(intptr_t count, float factor, const float *_Nonnull input, float *_Nonnull output);
} swiftlet_machine_peaks;

/// Returns the loops for an instruction set, or for the closest one below that has any. The CPU must support the instruction set.
const swiftlet_machine_peaks *_Nonnull swiftlet_machine_peaks_for(const char *_Nonnull name);
