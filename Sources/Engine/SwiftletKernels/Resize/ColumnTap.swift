/// Two elements of a row that are blended to an output pixel, with their weights.
package struct ColumnTap<Weight: Sendable & BitwiseCopyable>: Sendable, BitwiseCopyable {
  /// The offset, in elements, from the start of the row to the first channel of the pixel.
  package var lower: Int32
  package var upper: Int32
  package var lowerWeight: Weight
  package var upperWeight: Weight

  package init(lower: Int32, upper: Int32, lowerWeight: Weight, upperWeight: Weight) {
    self.lower = lower
    self.upper = upper
    self.lowerWeight = lowerWeight
    self.upperWeight = upperWeight
  }
}
