#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  import SwiftletKernels

  // Entry points. Table/PoolingKernels.swift documents every argument. `geometry` points to the fields of
  // `DepthwiseGeometry`.

  /// Pools windows of float32 pixels.
  @_cdecl("swiftlet_pool_f32")
  public func poolFloat32EntryPoint(
    _ isAverage: Int32, _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ lower: Float, _ upper: Float
  ) {
    typealias V = SelectedISA
    let geometry = geometry.loadUnaligned(as: DepthwiseGeometry.self)
    if isAverage != 0 {
      FloatAveragePooling<V>(geometry: geometry, input: input, output: output, lower: lower, upper: upper)
        .compute(first: firstRow, last: lastRow)
    } else {
      pool(
        FloatMaximumPooling<V>(lower: lower, upper: upper), geometry, first: firstRow, last: lastRow, input: input,
        output: output)
    }
  }

  /// Pools windows of quantized pixels.
  @_cdecl("swiftlet_pool_u8")
  public func poolBytesEntryPoint(
    _ isAverage: Int32, _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafeRawPointer,
    _ isSigned: Int32, _ output: UnsafeMutableRawPointer, _ lower: Int32, _ upper: Int
  ) {
    let upper = Int32(truncatingIfNeeded: upper)
    typealias V = SelectedISA
    let geometry = geometry.loadUnaligned(as: DepthwiseGeometry.self)
    let flip: Int32 = isSigned != 0 ? 0x80 : 0
    if isAverage != 0 {
      pool(
        ByteAveragePooling<V>(flip: flip, lower: lower, upper: upper), geometry, first: firstRow, last: lastRow,
        input: input, output: output)
    } else if geometry.channels >= V.vectorBytes {
      poolByteMaxima(
        V.self, geometry, first: firstRow, last: lastRow, input: input, flip: flip, lower: lower &+ flip,
        upper: upper &+ flip, output: output)
    } else {
      pool(
        ByteMaximumPooling<V>(flip: flip, lower: lower &+ flip, upper: upper &+ flip), geometry, first: firstRow,
        last: lastRow, input: input, output: output)
    }
  }
#endif
