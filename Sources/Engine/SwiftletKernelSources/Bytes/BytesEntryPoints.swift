#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/ByteKernels.swift documents every argument.

  /// Adds rows of quantized bytes and requantizes the sums.
  @_cdecl("swiftlet_add_u8")
  public func addBytesEntryPoint(
    _ form: Int32, _ rows: Int, _ columns: Int, _ left: UnsafeRawPointer, _ leftStride: Int, _ leftZeroPoint: Int32,
    _ leftMultiplier: Int32, _ right: UnsafeRawPointer, _ rightStride: Int, _ rightZeroPoint: Int,
    _ rightMultiplier: Int, _ shift: Int, _ isSigned: Int, _ output: UnsafeMutableRawPointer, _ outputStride: Int,
    _ zeroPoint: Int, _ lower: Int, _ upper: Int
  ) {
    let rightZeroPoint = Int32(truncatingIfNeeded: rightZeroPoint)
    let rightMultiplier = Int32(truncatingIfNeeded: rightMultiplier)
    let shift = Int32(truncatingIfNeeded: shift)
    let isSigned = Int32(truncatingIfNeeded: isSigned)
    let zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    let flip: Int32 = isSigned != 0 ? 0x80 : 0, offset = 0x80 &- flip
    let zeros = (leftZeroPoint &+ flip) &* leftMultiplier &+ (rightZeroPoint &+ flip) &* rightMultiplier
    let sum = ByteSum<SelectedISA>(
      leftMultiplier: SelectedISA.splat(leftMultiplier), rightMultiplier: SelectedISA.splat(rightMultiplier),
      bias: SelectedISA.splat((1 &<< (shift &- 1)) &- zeros), shift: SelectedISA.splat(shift))
    let operands = ByteRowOperands<SelectedISA>(
      rows: rows, columns: columns, left: left, leftStride: leftStride, right: right, rightStride: rightStride,
      output: output, outputStride: outputStride, flip: flip, zeroPoint: zeroPoint &- offset, lower: lower &- offset,
      upper: upper &- offset, outputFlip: offset &* 0x0101_0101)
    operands.apply(form: form, sum)
  }

  /// Multiplies rows of quantized bytes and requantizes the products.
  @_cdecl("swiftlet_multiply_u8")
  public func multiplyBytesEntryPoint(
    _ form: Int32, _ rows: Int, _ columns: Int, _ left: UnsafeRawPointer, _ leftStride: Int, _ leftZeroPoint: Int32,
    _ right: UnsafeRawPointer, _ rightStride: Int, _ rightZeroPoint: Int, _ factor: Float, _ isSigned: Int,
    _ output: UnsafeMutableRawPointer, _ outputStride: Int, _ zeroPoint: Int, _ lower: Int, _ upper: Int
  ) {
    let rightZeroPoint = Int32(truncatingIfNeeded: rightZeroPoint)
    let isSigned = Int32(truncatingIfNeeded: isSigned)
    let zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    let flip: Int32 = isSigned != 0 ? 0x80 : 0, offset = 0x80 &- flip
    let product = ByteProduct<SelectedISA>(
      leftZeroPoint: SelectedISA.splat(Float(leftZeroPoint &+ flip)),
      rightZeroPoint: SelectedISA.splat(Float(rightZeroPoint &+ flip)), factor: SelectedISA.splat(factor),
      high: SelectedISA.splat(Float(upper &- zeroPoint)))
    let operands = ByteRowOperands<SelectedISA>(
      rows: rows, columns: columns, left: left, leftStride: leftStride, right: right, rightStride: rightStride,
      output: output, outputStride: outputStride, flip: flip, zeroPoint: zeroPoint &- offset, lower: lower &- offset,
      upper: upper &- offset, outputFlip: offset &* 0x0101_0101)
    operands.apply(form: form, product)
  }

  /// Multiplies the negative values of rows of quantized bytes by the slopes of another operand.
  @_cdecl("swiftlet_parametric_relu_u8")
  public func parametricReluOfBytesEntryPoint(
    _ form: Int32, _ rows: Int, _ columns: Int, _ left: UnsafeRawPointer, _ leftStride: Int, _ leftZeroPoint: Int32,
    _ factor: Float, _ right: UnsafeRawPointer, _ rightStride: Int, _ rightZeroPoint: Int, _ slopeFactor: Float,
    _ isSigned: Int, _ output: UnsafeMutableRawPointer, _ outputStride: Int, _ zeroPoint: Int, _ lower: Int,
    _ upper: Int
  ) {
    let rightZeroPoint = Int32(truncatingIfNeeded: rightZeroPoint)
    let isSigned = Int32(truncatingIfNeeded: isSigned)
    let zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    let flip: Int32 = isSigned != 0 ? 0x80 : 0, offset = 0x80 &- flip
    let function = ByteParametricRelu<SelectedISA>(
      leftZeroPoint: SelectedISA.splat(Float(leftZeroPoint &+ flip)),
      rightZeroPoint: SelectedISA.splat(Float(rightZeroPoint &+ flip)), factor: SelectedISA.splat(factor),
      slopeFactor: SelectedISA.splat(slopeFactor), high: SelectedISA.splat(Float(upper &- zeroPoint)))
    let operands = ByteRowOperands<SelectedISA>(
      rows: rows, columns: columns, left: left, leftStride: leftStride, right: right, rightStride: rightStride,
      output: output, outputStride: outputStride, flip: flip, zeroPoint: zeroPoint &- offset, lower: lower &- offset,
      upper: upper &- offset, outputFlip: offset &* 0x0101_0101)
    operands.apply(form: form, function)
  }

  /// Computes the elementwise maximum or minimum of two rows of bytes.
  @_cdecl("swiftlet_extreme_u8")
  public func extremeOfBytesEntryPoint(
    _ isMaximum: Int32, _ form: Int32, _ rows: Int, _ columns: Int, _ left: UnsafeRawPointer, _ leftStride: Int,
    _ right: UnsafeRawPointer, _ rightStride: Int, _ isSigned: Int, _ output: UnsafeMutableRawPointer,
    _ outputStride: Int
  ) {
    let isSigned = Int32(truncatingIfNeeded: isSigned)
    let operands = ByteExtremes<SelectedISA>(
      rows: rows, columns: columns, left: left, leftStride: leftStride, right: right, rightStride: rightStride,
      output: output, outputStride: outputStride, flip: isSigned != 0 ? Int32(bitPattern: 0x8080_8080) : 0)
    if isMaximum != 0 {
      operands.apply(form: form, isMaximum: true)
    } else {
      operands.apply(form: form, isMaximum: false)
    }
  }

  /// Finds the position of the largest or smallest byte of every row.
  @_cdecl("swiftlet_arg_extreme_u8")
  public func positionOfExtremeByteEntryPoint(
    _ isMaximum: Int32, _ rows: Int, _ columns: Int, _ input: UnsafeRawPointer, _ isSigned: Int32,
    _ output: UnsafeMutablePointer<Int32>
  ) {
    // The kernel finds the largest unsigned byte. Signed bytes are shifted by 128, and the order is inverted to find
    // the smallest.
    positionsOfLargestBytes(
      SelectedISA.self, rows: rows, columns: columns, input: input,
      flip: (isSigned != 0 ? 0x80 : 0) ^ (isMaximum != 0 ? 0 : 0xFF), output: output)
  }

  /// Maps bytes through a table of 256 entries.
  @_cdecl("swiftlet_look_up_8")
  public func lookUpEntryPoint(
    _ count: Int, _ table: UnsafePointer<UInt8>, _ input: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>
  ) {
    lookUp(SelectedISA.self, count: count, table: table, input: input, output: output)
  }
#endif
