// Entry points; the labelled calls in Table/ByteKernels.swift say what every argument means.

@c(swiftlet_binary_u8)
public func binaryBytesEntryPoint(
  _ isProduct: Int32, _ form: Int32, _ rows: Int, _ columns: Int, _ left: UnsafeRawPointer, _ leftStride: Int,
  _ leftZeroPoint: Int32, _ leftScale: Float, _ right: UnsafeRawPointer, _ rightStride: Int, _ rightZeroPoint: Int32,
  _ rightScale: Float, _ isSigned: Int32, _ output: UnsafeMutableRawPointer, _ outputStride: Int, _ zeroPoint: Int32,
  _ lower: Int32, _ upper: Int32
) {
  let flip: Int32 = isSigned != 0 ? 0x80 : 0, offset = 0x80 &- flip
  let operands = ByteRowOperands<SelectedISA>(
    rows: rows, columns: columns, left: left, leftStride: leftStride, right: right, rightStride: rightStride,
    output: output, outputStride: outputStride, flip: flip, leftZeroPoint: Float(leftZeroPoint &+ flip),
    rightZeroPoint: Float(rightZeroPoint &+ flip), leftScale: leftScale, rightScale: rightScale,
    zeroPoint: zeroPoint &- offset, lower: lower &- offset, upper: upper &- offset,
    outputFlip: offset &* 0x0101_0101)
  if isProduct != 0 {
    operands.apply(form: form, isProduct: true)
  } else {
    operands.apply(form: form, isProduct: false)
  }
}

@c(swiftlet_look_up_8)
public func lookUpEntryPoint(
  _ count: Int, _ table: UnsafePointer<UInt8>, _ input: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>
) {
  lookUp(count: count, table: table, input: input, output: output)
}
