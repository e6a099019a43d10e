import SwiftletEngine
import SwiftletSchema

/// The product of dynamically quantized float32 rows and a constant matrix with blockwise quantization: `output[r, c] =
/// clamp(scale of r · (Σ over blocks (Σ quantized · weight) · scale of block − zero of r · Σ scale of block · Σ weight)
/// + bias[c])`.
///
/// - Source: the reference's product for 4-bit weights in blocks, with the same order of summation. Unlike the
///   reference, this applies an activation.
final class BlockwiseGemm: Sendable {
  private let layout: GemmLayout
  private let scales: BlockScales
  private let quantization: DynamicQuantization
  private let activation: FusedActivation

  /// Creates the product.
  ///
  /// - Parameter scales: The scales of the weights, input 1 of the node.
  init(_ context: PrepareContext, _ layout: GemmLayout, _ scales: BlockScales, activation: FusedActivation) throws {
    self.layout = layout
    self.scales = scales
    self.activation = activation
    quantization = try DynamicQuantization(
      context, slices: layout.rows, length: layout.depth,
      rule: context.options.numerics == .fast ? .roundingToEven : .asymmetric,
      isByRow: true)
  }

  func stages(_ context: PrepareContext) throws -> [PreparedOperator.Stage] {
    guard let constant = context.node.constant(1) else {
      throw context.node.invalid("takes constant weights in blocks")
    }
    let (columns, depth, size) = (layout.columns, layout.depth, scales.size)
    let zeroFactors = constant.withMemoryRebound(to: Int8.self) { weights in
      (0..<columns).map { column in
        (0..<depth / size).reduce(0 as Float) { sum, block in
          let quantized = weights[column * depth + block * size..<column * depth + (block + 1) * size]
          return sum + scales.values[column * (depth / size) + block]
            * Float(quantized.reduce(0 as Int32) { $0 &+ Int32($1) })
        }
      }
    }
    let weights = try context.inputSlot(1), output = try context.outputSlot(0)
    let bias = context.optionalInputSlot(2)
    let range = activation.floatRange
    let product = PreparedOperator.Stage(items: layout.rows * columns, cost: Double(depth) * 0.2 + 5) {
      [self] run, items in
      let bias = bias.map { run.pointer($0, as: Float.self) }
      let output = run.pointer(output, as: Float.self)
      for item in items {
        let (row, column) = item.quotientAndRemainder(dividingBy: columns)
        let quantized = run.pointer(quantization.quantized, as: Int8.self) + row &* depth
        let weights = run.pointer(weights, as: Int8.self) + column &* depth
        var sum = scaledSum(quantized, weights, scales: column &* (depth / size), blocks: depth / size)
        sum -= Float(run.pointer(quantization.zeroPoints, as: Int32.self)[row]) * zeroFactors[column]
        sum = sum * run.pointer(quantization.scales, as: Float.self)[row] + (bias?[column] ?? 0)
        output[item] = min(max(sum, range.lower), range.upper)
      }
    }
    return quantization.stages(try context.inputSlot(0)) + [product]
  }

  @inline(__always)
  private func scaledSum(
    _ quantized: UnsafePointer<Int8>, _ weights: UnsafePointer<Int8>, scales first: Int, blocks: Int
  )
    -> Float
  {
    scales.values.withUnsafeBufferPointer { scales in
      var total: Float = 0
      for block in 0..<blocks {
        let (quantized, weights) = (quantized + block &* self.scales.size, weights + block &* self.scales.size)
        var sum: Int32 = 0
        for index in 0..<self.scales.size { sum &+= Int32(quantized[index]) &* Int32(weights[index]) }
        total += Float(sum) * scales[first &+ block]
      }
      return total
    }
  }
}

/// The scales of the blocks of a matrix.
struct BlockScales: Sendable {
  /// The scales, one per block, row by row.
  let values: [Float]
  let size: Int
}

extension NodeView {
  /// Returns the scales of input `index`, a constant matrix, if it has blockwise quantization; otherwise `nil`.
  ///
  /// - Throws: An error if the scales aren't positive float16 constants, or if they don't match the matrix.
  func blockScales(ofInput index: Int) throws -> BlockScales? {
    guard let (blocks, spec, constant) = blocks(ofInput: index) else { return nil }
    let matrix = try input(index)
    guard matrix.shape.rank == 2, blocks.axes.isEmpty || blocks.axes == [1], blocks.size > 0,
      matrix.shape[1].isMultiple(of: blocks.size)
    else {
      throw invalid(
        "input \(index) \(matrix) must be a matrix of rows of whole blocks of \(blocks.size) elements to be quantized in blocks"
      )
    }
    guard spec.elementType == .float16, let constant,
      spec.shape.elementCount == matrix.shape.elementCount / blocks.size
    else {
      throw invalid(
        "input \(index) \(matrix) takes \(matrix.shape.elementCount / blocks.size) constant float16 scales for blocks of \(blocks.size) elements, got \(spec)"
      )
    }
    let scales = (0..<spec.shape.elementCount).map {
      constant.loadUnaligned(fromByteOffset: 2 * $0, as: Half.self).floatValue
    }
    guard scales.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw invalid("input \(index) \(matrix) has a scale in \(spec) that is not a positive number")
    }
    return BlockScales(values: scales, size: blocks.size)
  }
}
