#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  import SwiftletKernels

  // Entry points. Table/DepthwiseKernels.swift documents every argument. `geometry` points to the fields of
  // `DepthwiseGeometry`.

  /// Computes output rows of a float32 depthwise convolution.
  @_cdecl("swiftlet_depthwise_f32")
  public func depthwiseFloat32EntryPoint(
    _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?, _ repeated: UnsafePointer<Float>?,
    _ rows: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>, _ lower: Float, _ upper: Float
  ) {
    typealias Kernel = FloatDepthwise<SelectedISA>
    Kernel(
      geometry: geometry.loadUnaligned(as: DepthwiseGeometry.self), input: input, weights: weights,
      bias: bias.map { UnsafeRawPointer($0) }, output: output, repeated: repeated.map { UnsafeRawPointer($0) },
      rows: rows.assumingMemoryBound(to: Kernel.WindowRow.self), lower: lower, upper: upper
    ).compute(first: firstRow, last: lastRow)
  }

  /// Computes output rows of a quantized depthwise convolution.
  @_cdecl("swiftlet_depthwise_u8")
  public func depthwiseBytesEntryPoint(
    _ geometry: UnsafeRawPointer, _ plan: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafeRawPointer,
    _ isSigned: Int32,
    _ inputZeroPoint: Int32, _ panels: UnsafeRawPointer, _ bias: UnsafePointer<Int32>?, _ scales: UnsafePointer<Float>?,
    _ output: UnsafeMutableRawPointer, _ zeroPoint: Int, _ lower: Int, _ upper: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    let geometry = geometry.loadUnaligned(as: DepthwiseGeometry.self)
    let isSigned = isSigned != 0
    DepthwiseBytes<SelectedISA>(
      geometry: geometry, plan: plan.loadUnaligned(as: DepthwiseBytePlan.self), input: input,
      flip: SelectedISA.splat(SelectedISA.inputFlip(isSigned ? Int32(bitPattern: 0x8080_8080) : 0)),
      quantizedZero: UInt8(truncatingIfNeeded: inputZeroPoint),
      inputZero: (isSigned ? inputZeroPoint &+ 128 : inputZeroPoint) &- SelectedISA.inputOffset,
      panels: panels, bias: bias,
      epilogue: DepthwiseByteEpilogue(
        scales: scales, output: output, isSigned: isSigned, zeroPoint: zeroPoint, lower: lower, upper: upper),
      scratch: scratch
    ).compute(first: firstRow, last: lastRow)
  }

  /// Computes output rows of a quantized depthwise convolution with few channels, several pixels per vector.
  @_cdecl("swiftlet_depthwise_streams_u8")
  public func depthwiseStreamsEntryPoint(
    _ geometry: UnsafeRawPointer, _ plan: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafeRawPointer,
    _ isSigned: Int32,
    _ inputZeroPoint: Int32, _ panels: UnsafeRawPointer, _ bias: UnsafePointer<Int32>?, _ scales: UnsafePointer<Float>,
    _ output: UnsafeMutableRawPointer, _ zeroPoint: Int, _ lower: Int, _ upper: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    let geometry = geometry.loadUnaligned(as: DepthwiseGeometry.self)
    let isSigned = isSigned != 0
    InterleavedDepthwise<SelectedISA>(
      geometry: geometry, plan: plan.loadUnaligned(as: InterleavedDepthwisePlan.self), input: input,
      flip: SelectedISA.splat(SelectedISA.inputFlip(isSigned ? Int32(bitPattern: 0x8080_8080) : 0)),
      quantizedZero: UInt8(truncatingIfNeeded: inputZeroPoint),
      inputZero: (isSigned ? inputZeroPoint &+ 128 : inputZeroPoint) &- SelectedISA.inputOffset,
      panels: panels, bias: bias, scales: scales, output: output,
      requantization: .init(isSigned: isSigned, zeroPoint: zeroPoint, lower: lower, upper: upper), scratch: scratch
    ).compute(first: firstRow, last: lastRow)
  }
#endif
