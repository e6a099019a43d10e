import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The product of uint8 rows and shuffled weights: four columns at a time, with sixteen terms of each, in signed bytes
/// that tensors declare as uint8. All zero points are 128, as the layout requires.
///
/// - Source: the weights format `SHUFFLED4x16INT8` of the model format, rescaled by the reference's fixed-point factor.
final class ShuffledProduct: Sendable {
  private static let zeroPoint: Int32 = 128
  private let layout: GemmLayout
  private let multiplier: QuantizedMultiplier
  private let range: OutputRange

  /// Creates the product.
  ///
  /// - Throws: `RuntimeError.invalidModel` for other types, sizes that aren't multiples of the layout's, a missing
  ///   bias, or other zero points.
  init(_ node: NodeView, _ layout: GemmLayout, _ activation: FusedActivation) throws {
    guard try node.input(0).elementType == .uint8, try node.input(1).elementType == .uint8,
      try node.output(0).elementType == .int16
    else {
      throw node.invalid(
        "takes shuffled weights only for uint8 inputs and an int16 output, got \(try node.input(0)), \(try node.input(1)) and \(try node.output(0))"
      )
    }
    guard try node.output(1).elementType == .uint8 else {
      throw node.invalid("takes a second output of uint8 with shuffled weights, got \(try node.output(1))")
    }
    guard layout.columns.isMultiple(of: 4), layout.depth.isMultiple(of: 16), layout.depth > 0 else {
      throw node.invalid(
        "takes shuffled weights of a multiple of 4 times a multiple of 16 elements, got \(try node.input(1))")
    }
    guard node.hasInput(2) else { throw node.invalid("takes a bias with shuffled weights") }
    let quantization = try GemmQuantization(
      node, columns: layout.columns, axis: 0, isSymmetric: false, (UInt8.self, UInt8.self, Int16.self))
    guard quantization.input.zeroPoint == Self.zeroPoint, quantization.weightZeroPoint == Self.zeroPoint,
      quantization.output.zeroPoint == 0
    else {
      throw node.invalid(
        "takes shuffled weights with zero points of 128 at the inputs and 0 at the output, got \(quantization.input.zeroPoint), \(quantization.weightZeroPoint) and \(quantization.output.zeroPoint)"
      )
    }
    self.layout = layout
    multiplier = QuantizedMultiplier(quantization.roundedFactors[0])
    range = OutputRange(quantization.output, activation, Int16.self)
  }

  func stages(_ context: PrepareContext) throws -> [PreparedOperator.Stage] {
    let (columns, depth) = (layout.columns, layout.depth)
    let input = try context.inputSlot(0), weights = try context.inputSlot(1), bias = try context.inputSlot(2),
      output = try context.outputSlot(0)
    let product = PreparedOperator.Stage(items: layout.rows * columns, cost: Double(depth) * 0.5 + 5) {
      [self] run, items in
      let weights = run.pointer(weights, as: Int8.self)
      let output = run.pointer(output, as: Int16.self)
      for item in items {
        let (row, column) = item.quotientAndRemainder(dividingBy: columns)
        let terms = run.pointer(input, as: UInt8.self) + row &* depth
        var sum = run.pointer(bias, as: Int32.self)[column]
        for first in stride(from: 0, to: depth, by: 16) {
          let part = weights + (column / 4 * depth &* 4 &+ first &* 4 &+ column % 4 &* 16)
          for index in 0..<16 { sum &+= (Int32(terms[first &+ index]) &- Self.zeroPoint) &* Int32(part[index]) }
        }
        output[item] = range.quantized(multiplier.apply(sum))
      }
    }
    // The second output isn't used as scratch memory. It contains zeros.
    return [product] + (try PreparedOperator.zeros(context, output: 1).stages)
  }
}
