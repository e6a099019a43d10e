/// Quantisation in blocks along the last dimension, with scales in another tensor.
///
/// Zero is quantised value 0. The model format has a place for zero points, but writers leave it as it is, so that it
/// names the first tensor; runtimes do not look at it.
package struct BlockQuantization: Sendable {
  package var scales: ValueID
  /// Elements that share a scale.
  package var size: Int
  /// The dimensions that have blocks; empty for the last one alone.
  package var axes: [Int]
}
