extension KernelReference {
  /// Returns the accumulators of a quantized multiplication over windows, on unpacked tensors: `weights[(c * taps + t)
  /// * tapDepth + d]`. Taps with a negative offset contribute nothing.
  package static func accumulators(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, offsets: UnsafePointer<Int32>, weights: UnsafeRawPointer, weightsAreSigned: Bool,
    weightZeroPoint: Int32, bias: UnsafePointer<Int32>?, output: UnsafeMutablePointer<Int32>, outputStride: Int
  ) {
    func value(_ pointer: UnsafeRawPointer, _ index: Int, _ isSigned: Bool) -> Int32 {
      let byte = pointer.load(fromByteOffset: index, as: UInt8.self)
      return isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
    }
    for row in 0..<rows {
      for column in 0..<columns {
        var sum: Int32 = 0
        if let bias { sum = bias[column] }
        for tap in 0..<taps {
          let offset = Int(offsets[row * taps + tap])
          if offset < 0 { continue }
          for channel in 0..<tapDepth {
            let x = value(input, offset + channel, inputIsSigned) &- inputZeroPoint
            let w = value(weights, (column * taps + tap) * tapDepth + channel, weightsAreSigned) &- weightZeroPoint
            sum &+= x &* w
          }
        }
        output[row * outputStride + column] = sum
      }
    }
  }
}
