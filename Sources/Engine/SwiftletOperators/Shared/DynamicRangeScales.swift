import SwiftletEngine

/// How activations are quantised in the run for products with integer weights (input 1 of the node), and what the
/// weights' scales become.
struct DynamicRangeScales: Sendable {
  let rule: Quantizer.Rule
  /// What the scale of every slice is multiplied by.
  let ofSlices: Float
  /// What the columns are scaled by, one for every column or one for all.
  let ofColumns: [Float]

  /// - Parameters:
  ///   - columns: output channels, of all weight matrices.
  ///   - rule: the reference's; `nil` for that of convolutions, which depends on the weights. In fast numerics
  ///     XNNPACK's is taken instead where it runs the operator, which it does not where weights have no sign or are
  ///     sparse.
  ///   - hasGroups: whether there are several weight matrices.
  ///   - takesNibbles: whether XNNPACK runs the operator with 4-bit weights too.
  /// - Throws: when scales are missing or don't fit the columns.
  init(
    _ context: PrepareContext, columns: Int, rule: Quantizer.Rule?, hasGroups: Bool = false, takesNibbles: Bool = false
  )
    throws
  {
    let weights = try context.node.input(1)
    let isTaken =
      weights.elementType == .int8 && !weights.isSpread
      && (weights.expandedFrom == nil || weights.expandedFrom == .int4 && takesNibbles)
    let scales = try WeightScales(context.node, input: 1, columns: columns, axis: 0).scales
    let differ = scales.contains { $0 != scales[0] }
    if context.options.numerics == .fast, isTaken {
      self.rule = .roundingToEven
      ofSlices = 1
      ofColumns = scales
    } else {
      self.rule = rule ?? (differ || hasGroups ? .asymmetric : .symmetric)
      ofSlices = differ ? 1 : scales.first ?? 1
      ofColumns = differ ? scales : scales.map { _ in 1 }
    }
  }
}
