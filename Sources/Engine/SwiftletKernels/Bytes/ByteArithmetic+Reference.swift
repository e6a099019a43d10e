extension KernelReference {
  /// Returns the sum of two quantized values in units of the output scale. The multipliers are in units of 1/2^shift,
  /// and the result is rounded half up.
  package static func add(
    _ left: Int, zeroPoint leftZero: Int, _ right: Int, zeroPoint rightZero: Int, scales: ByteKernels.SumScales
  ) -> Int {
    let sum = (left - leftZero) * Int(scales.left) + (right - rightZero) * Int(scales.right)
    return (sum + (1 << (Int(scales.shift) - 1))) >> Int(scales.shift)
  }

  /// Returns the product of two quantized values and `factor`, in single precision, rounded half to even.
  package static func multiply(
    _ left: Int, zeroPoint leftZero: Int, _ right: Int, zeroPoint rightZero: Int, factor: Float
  ) -> Int {
    Int((Float((left - leftZero) * (right - rightZero)) * factor).rounded(.toNearestOrEven))
  }
}
