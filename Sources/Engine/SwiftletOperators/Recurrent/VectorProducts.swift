import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The products of float32 vectors and several constant matrices of the same shape, one after the other in the result.
///
/// Recurrent operators multiply a vector by the weights of all their gates in each step.
struct VectorProducts: Sendable {
  private enum Matrix: Sendable {
    /// Float32 weights in the kernel layout, with their biases.
    case panels(AlignedBytes)
    /// The diagonal of a diagonal matrix.
    case diagonal(TensorSlot)
    /// Int8 weights with one scale in the kernel layout, with their biases. Their vectors are dynamically quantized.
    case quantized(AlignedBytes, scale: Float)
  }

  private let matrices: [Matrix]
  private let columns: Int
  private let depth: Int
  private let isAsymmetric: Bool
  private let kernels: GemmKernels
  private let byteKernels: QuantizedGemmKernels
  private let quantization: QuantizationKernels
  private let quantizes: Bool
  /// The number of bytes between two quantized rows, a multiple of four because products read whole groups of four.
  private let quantizedStride: Int

  /// The number of vectors that are quantized and multiplied at once.
  private static let quantizedRows = 16

  /// Creates the products.
  ///
  /// - Parameters:
  ///   - weights: The indices of inputs with matrices `[columns, depth]`, or with vectors that represent diagonal
  ///     matrices.
  ///   - biases: The indices of inputs with a bias per column, or `nil` for none.
  ///   - isAsymmetric: Whether quantized vectors have a zero point.
  /// - Throws: An error if weights aren't constant or have no scale.
  init(
    _ context: PrepareContext, weights: [Int], biases: [Int?], columns: Int, depth: Int, isAsymmetric: Bool
  ) throws {
    self.columns = columns
    self.depth = depth
    self.isAsymmetric = isAsymmetric
    kernels = context.kernels.gemm
    byteKernels = context.kernels.quantizedGemm
    quantization = context.kernels.quantization
    quantizedStride = (depth + 63) & ~63
    matrices = try zip(weights, biases).map { index, bias in
      try Self.matrix(context, weights: index, bias: bias, columns: columns, depth: depth)
    }
    quantizes = matrices.contains { if case .quantized = $0 { true } else { false } }
  }

  private static func matrix(
    _ context: PrepareContext, weights index: Int, bias: Int?, columns: Int, depth: Int
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
      // Old writers declare signed values as uint8.
      let scale = try context.node.inputQuantization(index).scale
      return .quantized(
        try panels(context, quantized: index, bias: bias, columns: columns, depth: depth), scale: scale)
    default: throw context.node.unexpectedType(spec)
    }
  }

  /// Returns int8 weights in the kernel layout. Their scale isn't included, because it is multiplied by the scale of
  /// the vector first.
  private static func panels(
    _ context: PrepareContext, quantized index: Int, bias: Int?, columns: Int, depth: Int
  ) throws -> AlignedBytes {
    let kernels = context.kernels.quantizedGemm
    let size = (depth + 64).multipliedReportingOverflow(by: columns + kernels.panelColumns)
    guard !size.overflow, size.partialValue <= context.options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "weights \(try context.node.input(index)) are too large to pack",
        location: context.node.node.location)
    }
    return try context.packed(
      inputs: [index] + (bias.map { [$0] } ?? []),
      layout: PackedLayout("dynamic-range panels without scale", [kernels.panelColumns, columns, depth])
    ) { sources in
      let packed = try AlignedBytes.available(
        kernels.packedByteCount(columns: columns, taps: 1, tapDepth: depth), for: "packed weights")
      guard let weights = sources[0].baseAddress else { return packed }
      var one: Float = 1
      kernels.packDynamicRange(
        columns: columns, taps: 1, tapDepth: depth, weights: weights.assumingMemoryBound(to: Int8.self),
        columnStride: depth, tapStride: 0, channelStride: 1, scales: &one, scaleStride: 0,
        bias: sources.count > 1 ? sources[1].baseAddress?.assumingMemoryBound(to: Float.self) : nil,
        into: packed.start)
      return packed
    }
  }

  /// The size of scratch memory for `multiply` in bytes.
  var scratchBytes: Int { quantizes ? Self.quantizedRows * (quantizedStride + 12) : 0 }

  /// Computes `results[r, matrix × columns + c] = bias[c] + Σ vectors[r, d] · weight[c, d]` for all matrices.
  ///
  /// - Parameters:
  ///   - stride: The number of elements between two vectors, and between two result rows.
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
      case .quantized: break
      }
    }
    guard quantizes else { return }
    for first in Swift.stride(from: 0, to: rows, by: Self.quantizedRows) {
      multiplyQuantized(
        rows: min(rows &- first, Self.quantizedRows), vectors + first &* stride, stride: stride,
        into: results + first &* resultStride, resultStride: resultStride, scratch: scratch)
    }
  }

  private func multiplyQuantized(
    rows: Int, _ vectors: UnsafePointer<Float>, stride: Int, into results: UnsafeMutablePointer<Float>,
    resultStride: Int, scratch: UnsafeMutableRawPointer
  ) {
    let quantized = scratch.assumingMemoryBound(to: Int8.self)
    let scales = (scratch + Self.quantizedRows &* quantizedStride).assumingMemoryBound(to: Float.self)
    let zeroPoints = (scratch + Self.quantizedRows &* (quantizedStride &+ 4)).assumingMemoryBound(to: Int32.self)
    let factors = (scratch + Self.quantizedRows &* (quantizedStride &+ 8)).assumingMemoryBound(to: Float.self)
    for row in 0..<rows {
      let vector = vectors + row &* stride
      let quantizer = Quantizer(
        quantization.extremes(count: depth, input: vector), isAsymmetric ? .asymmetric : .symmetric)
      quantizer.quantize(vector, depth, into: quantized + row &* quantizedStride, quantization)
      scales[row] = quantizer.scale
      zeroPoints[row] = quantizer.zeroPoint
    }
    for (place, matrix) in matrices.enumerated() {
      guard case .quantized(let panels, let scale) = matrix else { continue }
      for row in 0..<rows { factors[row] = scale * scales[row] }
      byteKernels.multiplyDynamicRange(
        rows: rows, columns: columns,
        input: .rows(
          base: UnsafeRawPointer(quantized), isSigned: true, stride: quantizedStride, depth: (depth &+ 3) & ~3),
        panels: UnsafeRawPointer(panels.start), rowScales: factors, rowZeroPoints: zeroPoints, rowParameterStride: 1,
        output: results + place &* columns, outputStride: resultStride, lower: -.infinity, upper: .infinity)
    }
  }
}

/// Activations of whole vectors, which recurrent operators apply between their products.
///
/// Bit-exact numerics uses the functions of the C library, as the reference runtime does. Fast numerics uses the
/// kernels.
struct VectorActivations: Sendable {
  /// The kernels; `nil` in bit-exact numerics.
  private let kernels: ElementwiseKernels?

  init(_ context: PrepareContext) {
    kernels = context.options.numerics == .fast ? context.kernels.elementwise : nil
  }

  func sigmoid(_ values: UnsafeMutablePointer<Float>, count: Int) {
    if let kernels { return kernels.apply(.logistic, count: count, input: values, output: values) }
    for index in 0..<count { values[index] = 1 / (1 + expf(-values[index])) }
  }

  /// Applies an activation.
  ///
  /// - Parameter results: The results, which may be `values`.
  func apply(
    _ activation: FusedActivation, _ values: UnsafePointer<Float>, count: Int, into results: UnsafeMutablePointer<Float>
  ) {
    switch activation {
    case .tanh:
      if let kernels { return kernels.apply(.hyperbolicTangent, count: count, input: values, output: results) }
      for index in 0..<count { results[index] = tanhf(values[index]) }
    case .signBit: for index in 0..<count { results[index] = values[index].sign == .minus ? 1 : 0 }
    case .none, .relu, .reluN1To1, .relu6:
      let (lower, upper) = activation.floatRange
      for index in 0..<count {
        let raised = values[index] < lower ? lower : values[index]
        results[index] = raised > upper ? upper : raised
      }
    }
  }

  /// Clamps magnitudes to `limit` if it is above 0.
  static func clip(_ values: UnsafeMutablePointer<Float>, count: Int, limit: Float) {
    guard limit > 0 else { return }
    for index in 0..<count {
      let raised = values[index] < -limit ? -limit : values[index]
      values[index] = raised > limit ? limit : raised
    }
  }
}
