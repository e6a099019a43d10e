/// A convolution that can pad its input, clamp its quantized values, and apply an epilogue.
package protocol FusingConvolution: TakesEpilogue {
  /// Returns the operator for an unpadded input, or `nil` if its own padding or options don't allow that.
  func folding(_ padding: ExplicitPadding) -> Self?

  /// Returns the operator for an unpadded input and a window whose elements are `height` rows and `width` columns apart,
  /// or `nil` if its own padding or options don't allow that, or if it is faster without dilation.
  func dilating(height: Int, width: Int, padding: ExplicitPadding, _ node: NodeView) throws -> Self?

  /// Returns the operator with its 8-bit result clamped to `quantized` as the last step.
  func clamping(_ quantized: ClosedRange<Int32>) -> Self
}

/// The zero (or zero-point) rows and columns around an NHWC image.
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

/// A padding node that can be folded into a following convolution.
package protocol PaddingOperator: Operator {
  /// Returns the padding if it is constant, nonnegative, of rank 4, only along height and width, and filled with
  /// (quantized) zero. Otherwise, returns `nil`.
  func foldablePadding(_ node: NodeView) throws -> ExplicitPadding?
}

/// A node that divides images into blocks, whose equal positions form separate images, or that puts them together.
package protocol ImageBlocksOperator: Operator {
  /// Returns the blocks if images have rank 4. Otherwise, returns `nil`.
  func imageBlocks(_ node: NodeView) throws -> ImageBlocks?
}

/// The blocks of NHWC images.
package struct ImageBlocks: Sendable, Hashable {
  package enum Role: Sendable { case division, assembly }

  package var role: Role
  package var height: Int
  package var width: Int
  /// The zero (or zero-point) rows and columns around images before they are divided, or those that are removed after
  /// they are put together.
  package var margins: ExplicitPadding

  package init(_ role: Role, height: Int, width: Int, margins: ExplicitPadding) {
    self.role = role
    self.height = height
    self.width = width
    self.margins = margins
  }
}

/// An operator that may only clamp the quantized values of an 8-bit input.
package protocol QuantizedClampOperator: Operator {
  /// Returns the clamped input and its range if the operator does nothing else. The result has the input's scale and
  /// zero point.
  func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)?
}

/// The behavior of an operator if the memory layout of its tensors is permuted, for example from NCHW to NHWC.
package enum LayoutBehavior: Sendable {
  /// The operator requires the model's layout.
  case fixed
  /// The operator is elementwise with broadcasting, so any layout works if all operands share it.
  case elementwise
  /// The operator refers to axes in its options or in other inputs, and can be rewritten for another layout.
  case named(any AxisNamingOperator)
  /// The operator only permutes axes.
  case transpose(any TransposeLikeOperator)
}

/// An operator whose options refer to axes of its first inputs and of its output.
package protocol AxisNamingOperator: Operator {
  /// Returns the number of leading inputs that have the same axes as the output.
  func reorderableInputCount(_ node: NodeView) -> Int
  /// Returns the operator for tensors whose axis `i` is axis `order[i]` of the model's tensors.
  func reordered(_ order: [Int], _ node: NodeView) throws -> any Operator
}

/// An operator that returns its first input with permuted axes.
package protocol TransposeLikeOperator: Operator {
  /// Returns the input axis for each output axis, or `nil` if it is known only at run time.
  func permutation(_ node: NodeView) throws -> [Int]?
  /// Returns the operator that applies the permutation to its only input.
  func transposing(by permutation: [Int]) -> any Operator
}

/// A reduction of float32 elements that can square its input elements.
package protocol SquaringReduction: Operator {
  /// Returns the operator that squares the elements of its first input, or `nil` if a separate node for the squares is
  /// as fast.
  func squaring(_ node: NodeView) throws -> Self?
}
