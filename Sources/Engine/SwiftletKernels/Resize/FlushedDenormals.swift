internal import SwiftletKernelSets

/// Calls `body` with denormals, those below 2⁻¹²⁶, and results flushed to zero.
///
/// Processors take a hundred times as long for them as for others. Masks are full of them: what a sigmoid makes of a
/// score far below zero.
package func withFlushedDenormals<Result>(_ body: () throws -> Result) rethrows -> Result {
  let state = swiftlet_flush_denormals()
  defer { swiftlet_restore_denormals(state) }
  return try body()
}
