internal import SwiftletKernelSets

/// Calls `body` with denormals flushed to zero (FTZ and DAZ) on the current thread, and restores the previous mode.
///
/// Denormals, which are below 2⁻¹²⁶ in magnitude, can be a hundred times as slow as normal values. Masks are full of
/// them, because the sigmoid of a strongly negative score is denormal.
package func withFlushedDenormals<Result>(_ body: () throws -> Result) rethrows -> Result {
  let state = swiftlet_flush_denormals()
  defer { swiftlet_restore_denormals(state) }
  return try body()
}
