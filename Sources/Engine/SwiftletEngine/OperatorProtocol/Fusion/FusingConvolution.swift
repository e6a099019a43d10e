/// A convolution that pads its input, limits its quantised values and applies an epilogue itself.
package protocol FusingConvolution: TakesEpilogue {
  /// This operator reading an unpadded input, or `nil` when its own padding or options forbid it.
  func folding(_ padding: ExplicitPadding) -> Self?

  /// This operator with its result limited to `quantized` last, where its tensors have 8 bits.
  func clamping(_ quantized: ClosedRange<Int32>) -> Self
}

/// Rows and columns of zero (or zero-point) elements around an NHWC image.
package struct ExplicitPadding: Sendable, Hashable {
  package var top: Int
  package var bottom: Int
  package var left: Int
  package var right: Int

  package init(top: Int, bottom: Int, left: Int, right: Int) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }
}

/// A padding node that a following convolution may take over.
package protocol PaddingOperator: Operator {
  /// The padding, when it is constant, not negative, of rank 4, only along height and width, and filled with
  /// (quantised) zero.
  func foldablePadding(_ node: NodeView) throws -> ExplicitPadding?
}

/// An operator that may only limit the quantised values of an 8-bit input.
package protocol QuantizedClampOperator: Operator {
  /// Which input it limits, and to what, when it does nothing else; the result has the input's scale and zero point.
  func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)?
}
