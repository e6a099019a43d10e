/// Which rows of a byte convolution are computed together, and how the taps of a column are read four at a time.
///
/// Bytes of four input rows lie side by side, one lane for a channel, as dot products take them. Two output rows whose
/// windows overlap read the same four rows with different weights: what costs most, bringing the bytes together, is
/// done once for both.
package struct DepthwiseRowPair {
  /// Output rows of a strip, 1 or 2, and how far apart they are.
  package let outputs: Int
  package let distance: Int
  /// Input rows, in steps of the dilation, from the first row's window to the second's.
  package let shift: Int
  /// Input rows of a strip in fours.
  package let groups: Int

  @inline(__always)
  package init(_ geometry: DepthwiseGeometry) {
    let alone = (geometry.kernelHeight &+ 3) / 4
    let step = geometry.rowDilation == 1 ? geometry.rowStride : 1
    let together = (geometry.kernelHeight &+ step &+ 3) / 4
    let overlaps = geometry.rowDilation == 1 || geometry.rowStride == 1
    let isPaired = overlaps && together == alone
    outputs = isPaired ? 2 : 1
    distance = isPaired ? geometry.rowDilation : 1
    shift = isPaired ? step : 0
    groups = alone
  }

  /// The number of vectors of a plane of weights for a vector of channels.
  @inline(__always)
  package func planeVectors(kernelWidth: Int) -> Int { groups &* kernelWidth &* outputs }

  /// Output columns whose inputs are brought together at a time.
  @inline(__always) package static var columnBlock: Int { 128 }

  /// Input columns of so many output columns.
  @inline(__always)
  package static func span(_ columns: Int, _ geometry: DepthwiseGeometry) -> Int {
    (columns &- 1) &* geometry.columnStride &+ (geometry.kernelWidth &- 1) &* geometry.columnDilation &+ 1
  }
}
