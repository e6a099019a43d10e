// Entry points; the labelled calls in Table/DepthwiseKernels.swift say what every argument means. `geometry` points to
// the fields of `DepthwiseGeometry`.

@c(swiftlet_depthwise_f32)
public func depthwiseFloat32EntryPoint(
  _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafePointer<Float>,
  _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?, _ output: UnsafeMutablePointer<Float>,
  _ lower: Float, _ upper: Float
) {
  Depthwise(
    geometry: geometry.loadUnaligned(as: DepthwiseGeometry.self), input: input, weights: weights,
    element: FloatElement<SelectedISA>(),
    epilogue: FloatEpilogue(bias: bias, output: output, lower: lower, upper: upper)
  ).compute(first: firstRow, last: lastRow)
}

@c(swiftlet_depthwise_u8)
public func depthwiseBytesEntryPoint(
  _ geometry: UnsafeRawPointer, _ firstRow: Int, _ lastRow: Int, _ input: UnsafeRawPointer, _ inputIsSigned: Int32,
  _ inputZeroPoint: Int32, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Int32>?,
  _ scales: UnsafePointer<Float>?, _ output: UnsafeMutableRawPointer, _ zeroPoint: Int32, _ lower: Int32,
  _ upper: Int32
) {
  Depthwise(
    geometry: geometry.loadUnaligned(as: DepthwiseGeometry.self), input: input, weights: weights,
    element: ByteElement<SelectedISA>(isSigned: inputIsSigned != 0, zeroPoint: inputZeroPoint),
    epilogue: ByteEpilogue(
      bias: bias, scales: scales, output: output, zeroPoint: zeroPoint, lower: lower, upper: upper)
  ).compute(first: firstRow, last: lastRow)
}

@c(swiftlet_pack_depthwise_u8)
public func packDepthwiseEntryPoint(
  _ count: Int, _ weights: UnsafeRawPointer, _ weightsAreSigned: Int32, _ zeroPoint: Int32,
  _ output: UnsafeMutablePointer<Float>
) {
  packDepthwise(
    SelectedISA.self, count: count, weights: weights, isSigned: weightsAreSigned != 0, zeroPoint: zeroPoint,
    output: output)
}
