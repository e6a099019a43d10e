#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  import SwiftletKernels

  // Entry points. Table/QuantizationKernels.swift documents every argument.

  /// Requantizes 32-bit values to bytes.
  @_cdecl("swiftlet_requantize_8")
  public func requantizeToBytesEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Int32>, _ inputStride: Int, _ multipliers: UnsafePointer<Int32>,
    _ shifts: UnsafePointer<Int32>, _ parameterStride: Int, _ zeroPoint: Int32, _ lower: Int, _ upper: Int,
    _ output: UnsafeMutableRawPointer, _ outputStride: Int
  ) {
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    requantize(
      SelectedISA.self, ByteStore.self, rows: rows, columns: columns, input: input, inputStride: inputStride &* 4,
      multipliers: multipliers, shifts: shifts, parameterStride: parameterStride, zeroPoint: zeroPoint, lower: lower,
      upper: upper, output: output, outputStride: outputStride)
  }

  /// Requantizes 32-bit values to 16 bits.
  @_cdecl("swiftlet_requantize_16")
  public func requantizeToInt16EntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Int32>, _ inputStride: Int, _ multipliers: UnsafePointer<Int32>,
    _ shifts: UnsafePointer<Int32>, _ parameterStride: Int, _ zeroPoint: Int32, _ lower: Int, _ upper: Int,
    _ output: UnsafeMutablePointer<Int16>, _ outputStride: Int
  ) {
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    requantize(
      SelectedISA.self, HalfStore.self, rows: rows, columns: columns, input: input, inputStride: inputStride &* 4,
      multipliers: multipliers, shifts: shifts, parameterStride: parameterStride, zeroPoint: zeroPoint, lower: lower,
      upper: upper, output: output, outputStride: outputStride &* 2)
  }

  /// Quantizes floats to bytes.
  @_cdecl("swiftlet_quantize_8")
  public func quantizeToBytesEntryPoint(
    _ count: Int, _ input: UnsafePointer<Float>, _ scale: Float, _ form: Int32, _ zeroPoint: Int32, _ lower: Int32,
    _ upper: Int32, _ flip: Int32, _ output: UnsafeMutableRawPointer
  ) {
    // 0 is a quotient, 1 a product, and 2 a product rounded half to even.
    @inline(__always) func quantize(isProduct: Bool, toEven: Bool) {
      quantizeBytes(
        SelectedISA.self, count: count, input: input, scale: scale, isProduct: isProduct, toEven: toEven,
        zeroPoint: zeroPoint, lower: lower, upper: upper, flip: flip, output: output)
    }
    if form == 0 {
      quantize(isProduct: false, toEven: false)
    } else if form == 1 {
      quantize(isProduct: true, toEven: false)
    } else {
      quantize(isProduct: true, toEven: true)
    }
  }

  /// Quantizes floats to 16-bit values.
  @_cdecl("swiftlet_quantize_16")
  public func quantizeToInt16EntryPoint(
    _ count: Int, _ input: UnsafePointer<Float>, _ scale: Float, _ zeroPoint: Int32, _ lower: Int32, _ upper: Int32,
    _ output: UnsafeMutablePointer<Int16>
  ) {
    quantizeInt16(
      SelectedISA.self, count: count, input: input, scale: scale, zeroPoint: zeroPoint, lower: lower, upper: upper,
      output: output)
  }

  /// Dequantizes bytes to floats.
  @_cdecl("swiftlet_dequantize_8")
  public func dequantizeBytesEntryPoint(
    _ count: Int, _ input: UnsafeRawPointer, _ isSigned: Int32, _ scale: Float, _ zeroPoint: Int32,
    _ output: UnsafeMutablePointer<Float>
  ) {
    dequantize(
      SelectedISA.self, count: count, input: input, elementBytes: 1, flip: isSigned != 0 ? 0x80 : 0, scale: scale,
      zeroPoint: zeroPoint, output: output)
  }

  /// Dequantizes 16-bit values to floats.
  @_cdecl("swiftlet_dequantize_16")
  public func dequantizeInt16EntryPoint(
    _ count: Int, _ input: UnsafePointer<Int16>, _ scale: Float, _ zeroPoint: Int32,
    _ output: UnsafeMutablePointer<Float>
  ) {
    dequantize(
      SelectedISA.self, count: count, input: input, elementBytes: 2, flip: 0, scale: scale, zeroPoint: zeroPoint,
      output: output)
  }

  /// Converts float16 to float32.
  @_cdecl("swiftlet_expand_f16")
  public func expandFloat16EntryPoint(
    _ count: Int, _ input: UnsafePointer<UInt16>, _ output: UnsafeMutablePointer<Float>
  ) {
    expandFloat16(SelectedISA.self, count: count, input: input, output: output)
  }

  /// Finds the smallest and the largest float.
  @_cdecl("swiftlet_extremes_f32")
  public func extremesEntryPoint(_ count: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
    let range = extremes(SelectedISA.self, count: count, input: input)
    output[0] = range.lowest
    output[1] = range.highest
  }

  /// Quantizes every row of floats with its own scale.
  @_cdecl("swiftlet_quantize_rows")
  public func quantizeRowsEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ scales: UnsafeMutablePointer<Float>,
    _ zeroPoints: UnsafeMutablePointer<Int32>, _ output: UnsafeMutablePointer<Int8>
  ) {
    quantizeRows(
      SelectedISA.self, rows: rows, columns: columns, input: input, scales: scales, zeroPoints: zeroPoints,
      output: output
    )
  }

  /// Converts the sums of a quantized product to floats.
  @_cdecl("swiftlet_scale_sums")
  public func scaleSumsEntryPoint(
    _ rows: Int, _ columns: Int, _ sums: UnsafePointer<Int32>, _ rowScale: Float, _ scales: UnsafePointer<Float>,
    _ bias: UnsafePointer<Float>?, _ order: Int32, _ lower: Float, _ upper: Float,
    _ output: UnsafeMutablePointer<Float>
  ) {
    @inline(__always) func scale(_ order: SumScaling) {
      if let bias {
        scaleSums(
          SelectedISA.self, rows: rows, columns: columns, sums: sums, rowScale: rowScale, scales: scales, bias: bias,
          hasBias: true, order: order, lower: lower, upper: upper, output: output)
      } else {
        scaleSums(
          SelectedISA.self, rows: rows, columns: columns, sums: sums, rowScale: rowScale, scales: scales, bias: scales,
          hasBias: false, order: order, lower: lower, upper: upper, output: output)
      }
    }
    switch order {
    case SumScaling.columnFirst.rawValue: scale(.columnFirst)
    case SumScaling.rowFirst.rawValue: scale(.rowFirst)
    default: scale(.scalesFirst)
    }
  }

  /// Rescales the sums of two planes to int16 values.
  @_cdecl("swiftlet_rescale_planes")
  public func rescalePlanesEntryPoint(
    _ roundsUp: Int32, _ rows: Int, _ columns: Int, _ high: UnsafePointer<Int32>, _ low: UnsafePointer<Int32>,
    _ stride: Int, _ terms: UnsafePointer<Double>, _ factors: UnsafePointer<Double>, _ zeroPoint: Int, _ lower: Int,
    _ upper: Int, _ output: UnsafeMutablePointer<Int16>, _ outputStride: Int
  ) {
    rescalePlanes(
      SelectedISA.self, rows: rows, columns: columns, high: high, low: low, stride: stride, terms: terms,
      factors: factors, roundsUp: roundsUp != 0, zeroPoint: Int32(truncatingIfNeeded: zeroPoint),
      lower: Int32(truncatingIfNeeded: lower), upper: Int32(truncatingIfNeeded: upper), output: output,
      outputStride: outputStride)
  }
#endif
