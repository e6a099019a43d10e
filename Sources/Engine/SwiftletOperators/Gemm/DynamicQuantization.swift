import SwiftletEngine
import SwiftletKernels

/// Dynamic quantization of float32 activations, for operators with float32 tensors and integer weights.
///
/// Every slice (a row or an image) gets a scale and a zero point from its smallest and largest elements.
///
/// - Source: the symmetric and asymmetric dynamic quantization of the reference runtime, and that of XNNPACK.
struct DynamicQuantization: Sendable {
  let slices: Int
  /// The number of elements in a slice.
  let length: Int
  /// The rule for scale and zero point.
  let rule: Quantizer.Rule
  /// The quantized values, `slices × length` int8 elements.
  let quantized: TensorSlot
  /// Whether slices are single rows of a matrix instead of images.
  let isByRow: Bool
  /// The float32 scale and int32 zero point of every slice.
  let scales: TensorSlot
  let zeroPoints: TensorSlot

  /// The number of elements in a part of a slice, which is worth a separate tile.
  private let partLength: Int
  private let parts: Int
  /// The smallest and largest elements of every part.
  private let extremes: TensorSlot
  /// The factor applied to the stored scale of every slice.
  private let scaleFactor: Float
  /// The padding of every slice: quantized zeros, as many as a padding tap has elements.
  let zeroRows: TensorSlot
  private let zeroRowLength: Int
  private let kernels: QuantizationKernels

  /// Creates the quantization.
  ///
  /// - Parameters:
  ///   - rule: The rule for scale and zero point.
  ///   - scaleFactor: The scale of weights that have only one scale. The products then need no weight scales.
  ///   - zeroRowLength: The number of elements in a tap that may be in padding.
  ///   - padding: The number of bytes after the last slice that products may read.
  init(
    _ context: PrepareContext, slices: Int, length: Int, rule: Quantizer.Rule, isByRow: Bool, scaleFactor: Float = 1,
    zeroRowLength: Int = 0, padding: Int = 0
  ) throws {
    kernels = context.kernels.quantization
    self.scaleFactor = scaleFactor
    self.isByRow = isByRow
    self.zeroRowLength = zeroRowLength
    zeroRows = try context.scratch(bytes: slices * zeroRowLength)
    self.slices = slices
    self.length = length
    self.rule = rule
    let threads = context.options.threads
    let share = (length / (2 * threads) + 63) & ~63
    partLength = threads == 1 ? 1 << 16 : min(1 << 16, max(1 << 14, share))
    parts = max(1, (length + partLength - 1) / partLength)
    quantized = try context.scratch(bytes: slices * length + padding)
    scales = try context.scratch(bytes: slices * 4)
    zeroPoints = try context.scratch(bytes: slices * 4)
    extremes = try context.scratch(bytes: slices * parts * MemoryLayout<SIMD2<Float>>.stride)
  }

  /// Returns the stages that quantize `input`: a single stage if slices have one part, which is then still in the
  /// cache.
  func stages(_ input: TensorSlot) -> [PreparedOperator.Stage] {
    let results = [quantized, scales, zeroPoints, zeroRows]
    let cost = Double(min(length, partLength)) * 0.1 + 10
    guard parts > 1 else {
      return [
        PreparedOperator.Stage(items: slices, cost: cost * 2) { run, items in
          let source = run.pointer(input, as: Float.self)
          guard rule != .roundingToEven else { return quantizeRows(items, source, run) }
          for slice in items {
            quantize(slice, kernels.extremes(count: length, input: source + slice &* length), input, run)
          }
        }.touching(reads: [input], writes: results)
      ]
    }
    let measuring = PreparedOperator.Stage(items: slices * parts, cost: cost) { run, items in
      let source = run.pointer(input, as: Float.self), extremes = run.pointer(extremes, as: SIMD2<Float>.self)
      for item in items { extremes[item] = kernels.extremes(count: count(item), input: source + start(item)) }
    }.touching(reads: [input], writes: [extremes])
    let rounding = PreparedOperator.Stage(items: slices * parts, cost: cost) { run, items in
      let extremes = run.pointer(extremes, as: SIMD2<Float>.self)
      for item in items { quantize(item, whole(extremes + item / parts &* parts), input, run) }
    }.touching(reads: [input, extremes], writes: results)
    return [measuring, rounding]
  }

  /// Quantizes whole slices in one call, because there may be one slice per pixel.
  private func quantizeRows(_ slices: Range<Int>, _ source: UnsafePointer<Float>, _ run: RunContext) {
    let first = slices.lowerBound
    let zeroPoints = run.pointer(zeroPoints, as: Int32.self)
    kernels.quantizeRows(
      rows: slices.count, columns: length, input: source + first &* length,
      scales: run.pointer(scales, as: Float.self) + first, zeroPoints: zeroPoints + first,
      output: run.pointer(quantized, as: Int8.self) + first &* length)
    guard zeroRowLength > 0 else { return }
    for slice in slices { fillZeroRow(run, slice: slice, zeroPoints[slice]) }
  }

  private func fillZeroRow(_ run: RunContext, slice: Int, _ zeroPoint: Int32) {
    (run.pointer(zeroRows, as: Int8.self) + slice &* zeroRowLength)
      .update(repeating: Int8(truncatingIfNeeded: zeroPoint), count: zeroRowLength)
  }

  /// Quantizes a part of a slice with the given extremes. The first part also stores the parameters of the slice.
  private func quantize(_ item: Int, _ extremes: SIMD2<Float>, _ input: TensorSlot, _ run: RunContext) {
    let quantizer = Quantizer(extremes, rule)
    if item % parts == 0 {
      let slice = item / parts
      run.pointer(scales, as: Float.self)[slice] = quantizer.scale * scaleFactor
      run.pointer(zeroPoints, as: Int32.self)[slice] = quantizer.zeroPoint
      fillZeroRow(run, slice: slice, quantizer.zeroPoint)
    }
    quantizer.quantize(
      run.pointer(input, as: Float.self) + start(item), count(item),
      into: run.pointer(quantized, as: Int8.self) + start(item),
      kernels)
  }

  /// Returns a padding tap in the quantized values of a slice.
  func zeroRow(_ run: RunContext, slice: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(run.pointer(zeroRows)) + slice &* zeroRowLength
  }

  private func start(_ item: Int) -> Int { item / parts &* length &+ item % parts &* partLength }

  private func count(_ item: Int) -> Int { min(partLength, length &- item % parts &* partLength) }

  /// Returns the extremes of a slice from the extremes of its parts.
  private func whole(_ parts: UnsafePointer<SIMD2<Float>>) -> SIMD2<Float> {
    var result = parts[0]
    for part in 1..<max(1, self.parts) {
      result.x = min(result.x, parts[part].x)
      result.y = max(result.y, parts[part].y)
    }
    return result
  }
}

/// The quantization of the elements of one slice.
struct Quantizer {
  let scale: Float
  let zeroPoint: Int32
  private let factor: Float
  private let lowest: Int32
  private let roundsToEven: Bool

  enum Rule: Sendable {
    /// The zero point is 0.
    case symmetric
    /// The whole 8-bit range is used, as in the reference.
    case asymmetric
    /// Asymmetric in single precision, with zero point and quantized values rounded half to even, as in XNNPACK. The
    /// products then follow XNNPACK too.
    case roundingToEven
  }

  /// Creates the quantizer.
  ///
  /// - Parameter extremes: The smallest and the largest element.
  init(_ extremes: SIMD2<Float>, _ rule: Rule) {
    self =
      switch rule {
      case .symmetric: Quantizer(symmetric: extremes.x, extremes.y)
      case .asymmetric: Quantizer(asymmetric: extremes.x, extremes.y)
      case .roundingToEven: Quantizer(roundingToEven: extremes.x, extremes.y)
      }
  }

  private init(roundingToEven low: Float, _ high: Float) {
    let parameters = DynamicRangeParameters(low: low, high: high)
    scale = parameters.scale
    factor = parameters.factor
    zeroPoint = parameters.zeroPoint
    lowest = -128
    roundsToEven = true
  }

  init(symmetric low: Float, _ high: Float) {
    let range = max(abs(low), abs(high))
    lowest = -127
    roundsToEven = false
    zeroPoint = 0
    // A slice of zeros has quantized values of zero.
    scale = range == 0 ? 1 : range / 127
    factor = range == 0 ? 0 : 127 / range
  }

  init(asymmetric low: Float, _ high: Float) {
    // The range is computed in single precision, as in the reference, which affects some zero points.
    let range = Double(max(0, high) - min(0, low))
    let low = Double(min(0, low)), high = Double(max(0, high))
    lowest = -128
    roundsToEven = false
    guard low != high else {
      scale = 1
      zeroPoint = 0
      factor = 0
      return
    }
    let step = range / 255
    let fromLow = -128 - low / step, fromHigh = 127 - high / step
    // The zero point is computed from the end of the range with the smaller rounding error.
    let exact = 128 + abs(low / step) < 127 + abs(high / step) ? fromLow : fromHigh
    // In this form, NaN becomes the lowest quantized value.
    zeroPoint = exact > -128 ? (exact < 127 ? Int32(exact.rounded(.toNearestOrAwayFromZero)) : 127) : -128
    scale = Float(step)
    factor = 1 / scale
  }

  /// Numbers are rounded before the zero point is added, which affects ties. NaN becomes the lowest quantized value.
  func quantize(
    _ values: UnsafePointer<Float>, _ count: Int, into quantized: UnsafeMutablePointer<Int8>,
    _ kernels: QuantizationKernels
  ) {
    kernels.quantize(
      count: count, input: values, factor: factor, zeroPoint: zeroPoint, lower: lowest, upper: 127,
      roundsToEven: roundsToEven, toBytes: quantized)
  }
}
