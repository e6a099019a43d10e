#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  import SwiftletKernels

  // Entry points. Table/PoolingKernels.swift documents every argument. `geometry` points to the fields of
  // `DepthwiseGeometry`.

  /// Pools windows of float32 pixels.
  @_cdecl("swiftlet_pool_f32")
  public func poolFloat32EntryPoint(
    _ isAverage: Int32, _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutableRawPointer, _ lower: Float, _ upper: Float
  ) {
    typealias V = SelectedISA
    let geometry = geometry.loadUnaligned(as: DepthwiseGeometry.self)
    if isAverage != 0 {
      poolFloats(
        FloatAveragePooling<V>(
          geometry: geometry, input: input, zeros: scratch + DepthwiseGeometry.poolingSlack), geometry,
        first: firstRow, last: lastRow, lower: lower, upper: upper, output: output, temporary: scratch)
    } else {
      poolFloats(
        FloatMaximumPooling<V>(geometry: geometry, input: input), geometry, first: firstRow, last: lastRow,
        lower: lower, upper: upper, output: output, temporary: scratch)
    }
  }

  /// Pools windows of float32 pixels with the positions of the maxima.
  @_cdecl("swiftlet_pool_argmax_f32")
  public func poolArgmaxEntryPoint(
    _ geometry: UnsafeRawPointer, _ row: Int, _ input: UnsafePointer<Float>, _ maxima: UnsafeMutablePointer<Float>,
    _ positions: UnsafeMutablePointer<Float>, _ lower: Float, _ upper: Float
  ) {
    ArgmaxPooling(geometry: geometry.loadUnaligned(as: DepthwiseGeometry.self))
      .pool(row: row, input, maxima: maxima, positions: positions, lower: lower, upper: upper)
  }

  /// Writes pooled elements to their positions.
  @_cdecl("swiftlet_unpool_f32")
  public func unpoolEntryPoint(
    _ geometry: UnsafeRawPointer, _ row: Int, _ values: UnsafePointer<Float>, _ positions: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    ArgmaxPooling(geometry: geometry.loadUnaligned(as: DepthwiseGeometry.self))
      .unpool(row: row, values, positions, into: output)
  }

  /// Pools windows of quantized pixels.
  @_cdecl("swiftlet_pool_integers")
  public func poolIntegersEntryPoint(
    _ isAverage: Int32, _ type: Int32, _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int,
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer,
    _ blockColumns: Int, _ lower: Int, _ upper: Int
  ) {
    typealias V = SelectedISA
    let geometry = geometry.loadUnaligned(as: DepthwiseGeometry.self)
    let lower = Int32(truncatingIfNeeded: lower), upper = Int32(truncatingIfNeeded: upper)
    IntegerPooling<V>(
      isAverage: isAverage != 0, type: type, geometry, input: input, output: output, scratch: scratch,
      blockColumns: blockColumns, lower: lower, upper: upper
    ).compute(first: firstRow, last: lastRow)
  }
#endif
