#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  import SwiftletKernels

  // Entry points. Table/ElementwiseKernels.swift documents every argument.

  /// Applies a unary function to every float.
  @_cdecl("swiftlet_unary_f32")
  public func unaryEntryPoint(
    _ operation: Int32, _ count: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
    _ first: Float, _ second: Float
  ) {
    typealias V = SelectedISA
    switch operation {
    case UnaryOperation.clamp.rawValue:
      mapVectors(Clamp<V>(lower: first, upper: second), count: count, input: input, output: output)
    case UnaryOperation.absolute.rawValue: mapVectors(Absolute<V>(), count: count, input: input, output: output)
    case UnaryOperation.negate.rawValue: mapVectors(Negate<V>(), count: count, input: input, output: output)
    case UnaryOperation.square.rawValue: mapVectors(Square<V>(), count: count, input: input, output: output)
    case UnaryOperation.squareRoot.rawValue: mapVectors(SquareRoot<V>(), count: count, input: input, output: output)
    case UnaryOperation.reciprocalSquareRoot.rawValue:
      mapVectors(ReciprocalSquareRoot<V>(), count: count, input: input, output: output)
    case UnaryOperation.exponential.rawValue: mapVectors(Exponential<V>(), count: count, input: input, output: output)
    case UnaryOperation.logarithm.rawValue: mapVectors(Logarithm<V>(), count: count, input: input, output: output)
    case UnaryOperation.hyperbolicTangent.rawValue:
      mapVectors(HyperbolicTangent<V>(), count: count, input: input, output: output)
    case UnaryOperation.logistic.rawValue: mapVectors(Logistic<V>(), count: count, input: input, output: output)
    case UnaryOperation.hardSwish.rawValue: mapVectors(HardSwish<V>(), count: count, input: input, output: output)
    case UnaryOperation.gelu.rawValue: mapVectors(Gelu<V>(), count: count, input: input, output: output)
    case UnaryOperation.geluByTangent.rawValue:
      mapVectors(GeluByTangent<V>(), count: count, input: input, output: output)
    case UnaryOperation.elu.rawValue: mapVectors(Elu<V>(), count: count, input: input, output: output)
    case UnaryOperation.leakyRelu.rawValue:
      mapVectors(LeakyRelu<V>(slope: first), count: count, input: input, output: output)
    case UnaryOperation.floor.rawValue: mapVectors(Floor<V>(), count: count, input: input, output: output)
    case UnaryOperation.ceiling.rawValue: mapVectors(Ceiling<V>(), count: count, input: input, output: output)
    case UnaryOperation.roundToEven.rawValue: mapVectors(RoundToEven<V>(), count: count, input: input, output: output)
    case UnaryOperation.swish.rawValue: mapVectors(Swish<V>(), count: count, input: input, output: output)
    default: break
    }
  }

  /// Applies a binary function to rows of floats.
  @_cdecl("swiftlet_binary_f32")
  public func binaryEntryPoint(
    _ operation: Int32, _ form: Int32, _ rows: Int, _ columns: Int, _ left: UnsafePointer<Float>, _ leftStride: Int,
    _ right: UnsafePointer<Float>, _ rightStride: Int, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int,
    _ lower: Float, _ upper: Float
  ) {
    typealias V = SelectedISA
    let operands = BinaryRows(
      rows: rows, columns: columns, left: left, leftStride: leftStride, right: right, rightStride: rightStride,
      output: output, outputStride: outputStride, lower: lower, upper: upper)
    switch operation {
    case BinaryOperation.add.rawValue: operands.apply(Add<V>(), form: form)
    case BinaryOperation.subtract.rawValue: operands.apply(Subtract<V>(), form: form)
    case BinaryOperation.multiply.rawValue: operands.apply(Multiply<V>(), form: form)
    case BinaryOperation.divide.rawValue: operands.apply(Divide<V>(), form: form)
    case BinaryOperation.maximum.rawValue: operands.apply(Maximum<V>(), form: form)
    case BinaryOperation.minimum.rawValue: operands.apply(Minimum<V>(), form: form)
    case BinaryOperation.squaredDifference.rawValue: operands.apply(SquaredDifference<V>(), form: form)
    case BinaryOperation.parametricRelu.rawValue: operands.apply(ParametricRelu<V>(), form: form)
    default: break
    }
  }

  /// Applies a binary function to int16 values.
  @_cdecl("swiftlet_binary_s16")
  public func binaryInt16EntryPoint(
    _ operation: Int32, _ count: Int, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer,
    _ parameters: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let parameters = parameters.loadUnaligned(as: Int16BinaryParameters.self)
    Int16Combination<SelectedISA>(operation: operation, parameters).apply(
      count: count, left: left, right: right, output: output)
  }

  /// Applies the leaky ReLU to int16 values.
  @_cdecl("swiftlet_leaky_relu_s16")
  public func leakyReluInt16EntryPoint(
    _ count: Int, _ input: UnsafeRawPointer, _ parameters: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    leakyReluInt16(
      SelectedISA.self, count: count, input: input,
      parameters: parameters.loadUnaligned(as: Int16LeakyReluParameters.self), output: output)
  }

  /// Interpolates int16 values in a table.
  @_cdecl("swiftlet_sigmoid_s16")
  public func sigmoidInt16EntryPoint(
    _ count: Int, _ input: UnsafeRawPointer, _ table: UnsafePointer<Int32>, _ parameters: UnsafeRawPointer,
    _ output: UnsafeMutableRawPointer
  ) {
    sigmoidInt16(
      SelectedISA.self, count: count, input: input, table: table,
      parameters: parameters.loadUnaligned(as: Int16SigmoidParameters.self), output: output)
  }
#endif
