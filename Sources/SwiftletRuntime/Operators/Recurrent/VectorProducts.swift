import SwiftletFlatBuffers
import SwiftletKernels

/// Products of float32 vectors with a few constant matrices of the same shape, one after the other in the result.
///
/// Recurrent operators multiply one vector with the weights of all their gates, step by step.
struct VectorProducts: Sendable {
  private enum Matrix: Sendable {
    /// Float32 weights in the kernels' layout, with their biases.
    case panels(AlignedBytes)
    /// The diagonal of a matrix of zeros.
    case diagonal(TensorSlot)
    /// Int8 weights of one scale; their vectors are quantised in the run. Sums of rows where these have zero points.
    case codes(TensorSlot, scale: Float, bias: TensorSlot?, rowSums: AlignedBytes?)
  }

  private let matrices: [Matrix]
  private let columns: Int
  private let depth: Int
  private let isAsymmetric: Bool
  private let kernels: GemmKernels
  private let quantization: QuantizationKernels
  private let quantizes: Bool

  /// - Parameters:
  ///   - weights: the inputs with matrices `[columns, depth]`, or vectors that stand for diagonal ones.
  ///   - biases: the inputs with a bias per column, `nil` for none.
  ///   - isAsymmetric: whether vectors that are quantised get a zero point.
  /// - Throws: when weights are not constant or have no scale.
  init(
    _ context: PrepareContext, weights: [Int], biases: [Int?], columns: Int, depth: Int, isAsymmetric: Bool
  ) throws {
    self.columns = columns
    self.depth = depth
    self.isAsymmetric = isAsymmetric
    kernels = context.kernels.gemm
    quantization = context.kernels.quantization
    matrices = try zip(weights, biases).map { index, bias in
      try Self.matrix(
        context, weights: index, bias: bias, columns: columns, depth: depth, isAsymmetric: isAsymmetric)
    }
    quantizes = matrices.contains { if case .codes = $0 { true } else { false } }
  }

  private static func matrix(
    _ context: PrepareContext, weights index: Int, bias: Int?, columns: Int, depth: Int, isAsymmetric: Bool
  ) throws -> Matrix {
    let spec = try context.node.input(index)
    if spec.shape.rank == 1 {
      guard spec.elementType == .float32, bias == nil else { throw context.node.unexpectedType(spec) }
      return .diagonal(try context.inputSlot(index))
    }
    switch spec.elementType {
    case .float32:
      let kernels = context.kernels.gemm
      let size = kernels.packedCount(columns: columns, depth: depth).multipliedReportingOverflow(by: 4)
      guard !size.overflow, size.partialValue <= context.options.limits.arenaBytes else {
        throw RuntimeError(
          .limitExceeded, "weights \(spec) are too large to pack", location: context.node.node.location)
      }
      let packed = try context.packed(
        inputs: [index] + (bias.map { [$0] } ?? []),
        layout: PackedLayout("float32 columns", [kernels.panelColumns, columns, depth])
      ) { sources in
        let packed = try AlignedBytes.available(size.partialValue, for: "packed weights")
        if let source = sources[0].baseAddress {
          kernels.pack(
            columns: columns, depth: depth, weights: source.assumingMemoryBound(to: Float.self), columnStride: depth,
            depthStride: 1, bias: sources.count > 1 ? sources[1].baseAddress?.assumingMemoryBound(to: Float.self) : nil,
            into: packed.start.assumingMemoryBound(to: Float.self))
        }
        return packed
      }
      return .panels(packed)
    case .int8, .uint8:
      // Old writers declare signed codes as uint8.
      let scale = try context.node.inputQuantization(index).scale
      let rowSums = isAsymmetric ? try Self.rowSums(context, weights: index, columns: columns, depth: depth) : nil
      return .codes(
        try context.inputSlot(index), scale: scale, bias: try bias.map(context.inputSlot), rowSums: rowSums)
    default: throw context.node.unexpectedType(spec)
    }
  }

  /// The sum of every row of constant int8 weights.
  static func rowSums(_ context: PrepareContext, weights index: Int, columns: Int, depth: Int) throws -> AlignedBytes {
    try context.packed(input: index, layout: PackedLayout("row sums", [columns, depth])) { source in
      let sums = try AlignedBytes.available(columns * 4, for: "sums of weights")
      for column in 0..<columns {
        var sum: Int32 = 0
        for place in (column * depth)..<((column + 1) * depth) { sum &+= Int32(Int8(bitPattern: source[place])) }
        sums.bytes.storeBytes(of: sum, toByteOffset: column * 4, as: Int32.self)
      }
      return sums
    }
  }

  /// Bytes of scratch memory that `multiply` needs.
  var scratchBytes: Int { quantizes ? depth : 0 }

  /// `results[r, matrix × columns + c] = bias[c] + Σ vectors[r, d] · weight[c, d]`, for all matrices.
  ///
  /// - Parameters:
  ///   - stride: elements from one vector to the next, and from one row of results to the next.
  func multiply(
    rows: Int, _ vectors: UnsafePointer<Float>, stride: Int, into results: UnsafeMutablePointer<Float>,
    resultStride: Int, scratch: UnsafeMutableRawPointer, _ run: RunContext
  ) {
    for (place, matrix) in matrices.enumerated() {
      let results = results + place &* columns
      switch matrix {
      case .panels(let panels):
        kernels.multiplyRows(
          rows: rows, columns: columns, depth: depth, input: vectors, inputStride: stride,
          panels: UnsafePointer(panels.start.assumingMemoryBound(to: Float.self)), output: results,
          outputStride: resultStride, lower: -.infinity, upper: .infinity)
      case .diagonal(let slot):
        let weights = run.pointer(slot, as: Float.self)
        for row in 0..<rows {
          let vector = vectors + row &* stride
          let result = results + row &* resultStride
          for column in 0..<columns { result[column] = weights[column] * vector[column] }
        }
      case .codes: break
      }
    }
    guard quantizes else { return }
    let codes = scratch.assumingMemoryBound(to: Int8.self)
    for row in 0..<rows {
      let vector = vectors + row &* stride
      let quantizer = Quantizer(quantization.extremes(count: depth, input: vector), isAsymmetric: isAsymmetric)
      quantizer.quantize(vector, depth, into: codes, quantization)
      for (place, matrix) in matrices.enumerated() {
        guard case .codes(let slot, let scale, let bias, let rowSums) = matrix else { continue }
        let weights = run.pointer(slot, as: Int8.self)
        let result = results + (row &* resultStride &+ place &* columns)
        let biases = bias.map { run.pointer($0, as: Float.self) }
        let sums = rowSums?.start.assumingMemoryBound(to: Int32.self)
        let factor = scale * quantizer.scale
        for column in 0..<columns {
          var product = dotProduct(codes, weights + column &* depth, count: depth)
          if let sums { product &-= sums[column] &* quantizer.zeroPoint }
          result[column] = (biases?[column] ?? 0) + Float(product) * factor
        }
      }
    }
  }
}

/// The sum of products of two int8 vectors.
@inline(__always)
func dotProduct(_ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>, count: Int) -> Int32 {
  var sum: Int32 = 0
  for index in 0..<count { sum &+= Int32(first[index]) &* Int32(second[index]) }
  return sum
}
