/// A row of a mask of categories, and the scores on both sides of it.
///
/// Kernels receive a pointer to it.
package struct CategoryRow {
  /// The scores of the source row above and below, channels interleaved.
  package var upper: UnsafePointer<Float>
  package var lower: UnsafePointer<Float>
  /// The position between the rows, 0…1.
  package var down: Float
  /// The score above which the only channel is the foreground.
  package var threshold: Float
  package var channels: Int
  /// The category at all corners of each cell of the source, or ``mixed``.
  package var cells: UnsafePointer<UInt16>
  /// The taps of the pixels.
  package var columns: UnsafePointer<LinearTap>
  package var width: Int

  /// The mark of a cell whose corners have different categories.
  package static var mixed: UInt16 {
    @inline(__always) get { 256 }
  }
  package static var foreground: UInt8 {
    @inline(__always) get { 0 }
  }
  package static var background: UInt8 {
    @inline(__always) get { 255 }
  }

  package init(
    upper: UnsafePointer<Float>, lower: UnsafePointer<Float>, down: Float, threshold: Float, channels: Int,
    cells: UnsafePointer<UInt16>, columns: UnsafePointer<LinearTap>, width: Int
  ) {
    (self.upper, self.lower, self.down, self.threshold) = (upper, lower, down, threshold)
    (self.channels, self.cells, self.columns, self.width) = (channels, cells, columns, width)
  }
}

/// Two adjacent pixels of the source and the weight of the second.
package struct LinearTap: Sendable, Hashable, BitwiseCopyable {
  package let index0: Int
  package let index1: Int
  package let weight: Float

  package init(index0: Int, index1: Int, weight: Float) {
    (self.index0, self.index1, self.weight) = (index0, index1, weight)
  }
}
