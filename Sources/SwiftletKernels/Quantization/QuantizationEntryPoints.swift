// Entry points; the labelled calls in Table/QuantizationKernels.swift say what every argument means.

@c(swiftlet_requantize_8)
public func requantizeToBytesEntryPoint(
  _ rows: Int, _ columns: Int, _ input: UnsafePointer<Int32>, _ inputStride: Int, _ multipliers: UnsafePointer<Int32>,
  _ shifts: UnsafePointer<Int32>, _ parameterStride: Int, _ zeroPoint: Int32, _ lower: Int32, _ upper: Int32,
  _ output: UnsafeMutableRawPointer, _ outputStride: Int
) {
  requantize(
    SelectedISA.self, ByteStore.self, rows: rows, columns: columns, input: input, inputStride: inputStride &* 4,
    multipliers: multipliers, shifts: shifts, parameterStride: parameterStride, zeroPoint: zeroPoint, lower: lower,
    upper: upper, output: output, outputStride: outputStride)
}

@c(swiftlet_requantize_16)
public func requantizeToHalvesEntryPoint(
  _ rows: Int, _ columns: Int, _ input: UnsafePointer<Int32>, _ inputStride: Int, _ multipliers: UnsafePointer<Int32>,
  _ shifts: UnsafePointer<Int32>, _ parameterStride: Int, _ zeroPoint: Int32, _ lower: Int32, _ upper: Int32,
  _ output: UnsafeMutablePointer<Int16>, _ outputStride: Int
) {
  requantize(
    SelectedISA.self, HalfStore.self, rows: rows, columns: columns, input: input, inputStride: inputStride &* 4,
    multipliers: multipliers, shifts: shifts, parameterStride: parameterStride, zeroPoint: zeroPoint, lower: lower,
    upper: upper, output: output, outputStride: outputStride &* 2)
}
