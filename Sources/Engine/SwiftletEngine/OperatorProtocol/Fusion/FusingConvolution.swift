/// A convolution that pads its input, limits its quantized values and applies an epilogue itself.
package protocol FusingConvolution: TakesEpilogue {
  /// This operator reading an unpadded input, or `nil` if its own padding or options forbid it.
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
  /// Returns the padding, when it is constant, not negative, of rank 4, only along height and width, and filled with
  /// (quantized) zero.
  func foldablePadding(_ node: NodeView) throws -> ExplicitPadding?
}

/// An operator that may only limit the quantized values of an 8-bit input.
package protocol QuantizedClampOperator: Operator {
  /// Which input it limits, and to what, when it does nothing else; the result has the input's scale and zero point.
  func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)?
}

/// What becomes of an operator when the axes of its tensors lie in memory in another order than in the model.
package enum LayoutBehavior: Sendable {
  /// It depends on the order.
  case fixed
  /// It works element by element, on operands that broadcast: any order will do that is the same for all.
  case elementwise
  /// Its options or other inputs name axes.
  case named(any AxisNamingOperator)
  /// All that it does is to change the order.
  case transpose(any TransposeLikeOperator)
}

/// An operator whose options name axes of its first inputs and of its output.
package protocol AxisNamingOperator: Operator {
  /// How many inputs, the first ones, have the axes of the output.
  func reorderableInputCount(_ node: NodeView) -> Int
  /// Returns the operator for tensors whose axis `i` is axis `order[i]` of the model's.
  func reordered(_ order: [Int], _ node: NodeView) throws -> any Operator
}

/// An operator that gives its first input with the axes in another order.
package protocol TransposeLikeOperator: Operator {
  /// For each axis of the output that of the input; `nil` if only the run knows.
  func permutation(_ node: NodeView) throws -> [Int]?
  /// Returns the operator that does this with its only input.
  func transposing(by permutation: [Int]) -> any Operator
}

/// A reduction of float32 elements that can square them as it reads them.
package protocol SquaringReduction: Operator {
  /// This operator reading the elements whose squares are the node's first input; `nil` if a node of its own for the
  /// squares is as fast.
  func squaring(_ node: NodeView) throws -> Self?
}
