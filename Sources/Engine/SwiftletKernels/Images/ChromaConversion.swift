/// The conversion of luma and chroma to color in 16-bit fixed point.
///
/// Kernels receive a pointer to it.
package struct ChromaConversion: Sendable {
  /// The luma of black.
  package var black: Int32
  package var luma: Int32
  package var redFromV: Int32
  package var greenFromU: Int32
  package var greenFromV: Int32
  package var blueFromU: Int32
  /// Whether the red difference (V) precedes the blue difference (U) in a pair.
  package var isRedFirst: Int32

  package init(
    black: Int32, luma: Int32, redFromV: Int32, greenFromU: Int32, greenFromV: Int32, blueFromU: Int32, isRedFirst: Bool
  ) {
    (self.black, self.luma, self.redFromV) = (black, luma, redFromV)
    (self.greenFromU, self.greenFromV, self.blueFromU) = (greenFromU, greenFromV, blueFromU)
    self.isRedFirst = isRedFirst ? 1 : 0
  }
}
