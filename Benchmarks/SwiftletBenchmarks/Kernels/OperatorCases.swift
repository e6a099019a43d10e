import Swiftlet
import SwiftletSchema
import SwiftletTestSupport

/// The measured operators: the shapes of published mobile networks, and square matrices.
enum OperatorCases {
  typealias Encoding = OperatorBuilder.Encoding

  static let all: [OperatorCase] = matrices + convolutions + depthwise + elementwise + movement

  private static let encodings: [Encoding?] = [nil, .int8]
  private static let allEncodings: [Encoding?] = [nil, .int8, .uint8]

  // MARK: Matrices

  private static let matrices: [OperatorCase] =
    allEncodings.flatMap { encoding in
      [64, 128, 192, 256, 384, 512, 768, 1024].map { product(encoding, rows: $0, depth: $0, columns: $0) }
        + [product(encoding, rows: 1, depth: 1024, columns: 1024)]
    } + [batchProduct(batch: 4, size: 256)]

  private static func product(_ encoding: Encoding?, rows: Int, depth: Int, columns: Int) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input([rows, depth]), builder.weights([columns, depth]), builder.bias(columns)]
    builder.add(.fullyConnected, inputs, [builder.output([rows, columns])], options: FullyConnectedOptions.empty)
    return builder.finish("matrix \(rows)×\(depth)×\(columns)", multiplyAdds: rows * depth * columns)
  }

  /// Returns a product of two matrices that are both known only at run time.
  private static func batchProduct(batch: Int, size: Int) -> OperatorCase {
    var builder = OperatorBuilder(nil)
    let inputs = [builder.input([batch, size, size]), builder.input([batch, size, size])]
    builder.add(.batchMatMul, inputs, [builder.output([batch, size, size])], options: BatchMatMulOptions.empty)
    return builder.finish("batch matrix \(batch)×\(size)×\(size)×\(size)", multiplyAdds: batch * size * size * size)
  }

  // MARK: Convolutions

  private static let convolutions: [OperatorCase] = encodings.flatMap { encoding in
    [
      convolution(encoding, size: 56, channels: 64, filters: 128, kernel: 1, stride: 1),
      convolution(encoding, size: 14, channels: 384, filters: 64, kernel: 1, stride: 1),
      convolution(encoding, size: 7, channels: 320, filters: 1280, kernel: 1, stride: 1),
      convolution(encoding, size: 28, channels: 64, filters: 64, kernel: 3, stride: 1),
      convolution(encoding, size: 56, channels: 32, filters: 64, kernel: 3, stride: 2),
      convolution(encoding, size: 224, channels: 3, filters: 32, kernel: 3, stride: 2),
    ] + (encoding == nil ? [transposed(size: 32, channels: 32, filters: 16)] : [])
  }

  private static func convolution(
    _ encoding: Encoding?, size: Int, channels: Int, filters: Int, kernel: Int, stride: Int
  ) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let side = size / stride
    let inputs = [
      builder.input([1, size, size, channels]), builder.weights([filters, kernel, kernel, channels], axis: 0),
      builder.bias(filters, isPerChannel: true),
    ]
    builder.add(
      .conv2D, inputs, [builder.output([1, side, side, filters])],
      options: Conv2DOptions.with { [$0.strideWidth(stride), $0.strideHeight(stride), $0.fusedActivation(.relu6)] })
    return builder.finish(
      "convolution \(kernel)×\(kernel)/\(stride) \(size)²×\(channels)→\(filters)",
      multiplyAdds: side * side * filters * kernel * kernel * channels)
  }

  private static func transposed(size: Int, channels: Int, filters: Int) -> OperatorCase {
    var builder = OperatorBuilder(nil)
    let side = Int32(2 * size)
    let inputs = [
      builder.parameter([1, side, side, Int32(filters)]), builder.weights([filters, 2, 2, channels]),
      builder.input([1, size, size, channels]),
    ]
    builder.add(
      .transposeConv, inputs, [builder.output([1, 2 * size, 2 * size, filters])],
      options: TransposeConvOptions.with { [$0.strideWidth(2), $0.strideHeight(2)] })
    return builder.finish(
      "transposed convolution 2×2/2 \(size)²×\(channels)→\(filters)", multiplyAdds: size * size * channels * 4 * filters
    )
  }

  private static let depthwise: [OperatorCase] = encodings.flatMap { encoding in
    [
      depthwise(encoding, size: 112, channels: 32, kernel: 3, stride: 1),
      depthwise(encoding, size: 56, channels: 128, kernel: 3, stride: 2),
      depthwise(encoding, size: 14, channels: 384, kernel: 3, stride: 1),
      depthwise(encoding, size: 28, channels: 120, kernel: 5, stride: 1),
    ]
  }

  private static func depthwise(_ encoding: Encoding?, size: Int, channels: Int, kernel: Int, stride: Int)
    -> OperatorCase
  {
    var builder = OperatorBuilder(encoding)
    let side = size / stride
    let inputs = [
      builder.input([1, size, size, channels]), builder.weights([1, kernel, kernel, channels], axis: 3),
      builder.bias(channels, isPerChannel: true),
    ]
    builder.add(
      .depthwiseConv2D, inputs, [builder.output([1, side, side, channels])],
      options: DepthwiseConv2DOptions.with {
        [$0.strideWidth(stride), $0.strideHeight(stride), $0.depthMultiplier(1), $0.fusedActivation(.relu6)]
      })
    return builder.finish(
      "depthwise \(kernel)×\(kernel)/\(stride) \(size)²×\(channels)",
      multiplyAdds: side * side * channels * kernel * kernel)
  }

  // MARK: Element by element

  private static let picture = [1, 28, 28, 64]

  private static let elementwise: [OperatorCase] =
    encodings.flatMap { encoding in
      [
        binary(.add, "add", encoding, options: AddOptions.empty, right: picture),
        binary(.add, "add per channel", encoding, options: AddOptions.empty, right: [64]),
        binary(.mul, "mul", encoding, options: MulOptions.empty, right: picture),
        unary(.logistic, "logistic", encoding, output: (1 / 256, encoding?.type == .uint8 ? 0 : -128)),
        unary(.tanh, "tanh", encoding, output: (1 / 128, encoding?.type == .uint8 ? 128 : 0)),
        unary(.hardSwish, "hard-swish", encoding),
        unary(.leakyRelu, "leaky relu", encoding, options: LeakyReluOptions.with { [$0.alpha(0.1)] }),
        softmax(encoding, rows: 64, columns: 1001),
        pooling(.averagePool2D, "average pool", encoding), pooling(.maxPool2D, "max pool", encoding), mean(encoding),
        resize(encoding),
      ]
    } + [
      unary(.relu, "relu", nil), unary(.exp, "exp", nil),
      unary(.gelu, "gelu", nil, options: GeluOptions.with { [$0.approximate(true)] }),
      prelu,
      recoding(.quantize, "quantize"), recoding(.dequantize, "dequantize"),
    ]

  private static func binary(
    _ builtin: BuiltinOperator, _ name: String, _ encoding: Encoding?, options: WrittenOptions, right: [Int]
  ) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input(picture), builder.input(right)]
    builder.add(builtin, inputs, [builder.output(picture)], options: options)
    return builder.finish(name)
  }

  private static func unary(
    _ builtin: BuiltinOperator, _ name: String, _ encoding: Encoding?,
    options: WrittenOptions? = nil,
    output: (scale: Float, zeroPoint: Int32)? = nil
  ) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let input = builder.input(picture)
    let result =
      encoding.flatMap { encoding in
        output.map { builder.output(picture, as: encoding.type, scale: $0.scale, zeroPoint: $0.zeroPoint) }
      } ?? builder.output(picture)
    builder.add(builtin, [input], [result], options: options)
    return builder.finish(name)
  }

  private static func softmax(_ encoding: Encoding?, rows: Int, columns: Int) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let input = builder.input([rows, columns])
    let result =
      encoding.map {
        builder.output([rows, columns], as: $0.type, scale: 1 / 256, zeroPoint: $0.type == .uint8 ? 0 : -128)
      }
      ?? builder.output([rows, columns])
    builder.add(.softmax, [input], [result], options: SoftmaxOptions.with { [$0.beta(1)] })
    return builder.finish("softmax \(rows)×\(columns)")
  }

  private static func pooling(_ builtin: BuiltinOperator, _ name: String, _ encoding: Encoding?) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let input = builder.input(picture)
    builder.add(
      builtin, [input], [builder.output([1, 14, 14, 64])],
      options: Pool2DOptions.with { [$0.strideWidth(2), $0.strideHeight(2), $0.filterWidth(3), $0.filterHeight(3)] })
    return builder.finish("\(name) 3×3/2")
  }

  private static func mean(_ encoding: Encoding?) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input(picture), builder.parameter([1, 2])]
    builder.add(.mean, inputs, [builder.output([1, 64])], options: ReducerOptions.empty)
    return builder.finish("mean of pixels")
  }

  private static func resize(_ encoding: Encoding?) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input([1, 16, 16, 64]), builder.parameter([32, 32])]
    builder.add(
      .resizeBilinear, inputs, [builder.output([1, 32, 32, 64])],
      options: ResizeBilinearOptions.with { [$0.halfPixelCenters(true)] })
    return builder.finish("resize bilinear ×2")
  }

  private static let prelu: OperatorCase = {
    var builder = OperatorBuilder(nil)
    let inputs = [builder.input(picture), builder.weights([1, 1, 64])]
    builder.add(.prelu, inputs, [builder.output(picture)])
    return builder.finish("prelu")
  }()

  /// Returns a conversion between float32 and int8.
  private static func recoding(_ builtin: BuiltinOperator, _ name: String) -> OperatorCase {
    var builder = OperatorBuilder(builtin == .quantize ? nil : .int8)
    let input = builder.input(picture)
    let result =
      builtin == .quantize
      ? builder.output(picture, as: .int8, scale: OperatorBuilder.scale, zeroPoint: -3)
      : builder.output(picture, as: .float32)
    builder.add(builtin, [input], [result])
    return builder.finish(name)
  }

  // MARK: Movement

  private static let movement: [OperatorCase] = encodings.flatMap { [pad($0), concatenation($0), transpose($0)] }

  private static func pad(_ encoding: Encoding?) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input(picture), builder.parameter([0, 0, 1, 1, 1, 1, 0, 0], shape: [4, 2])]
    builder.add(.pad, inputs, [builder.output([1, 30, 30, 64])], options: .fieldless(.pad))
    return builder.finish("pad")
  }

  private static func concatenation(_ encoding: Encoding?) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input([1, 28, 28, 32]), builder.input([1, 28, 28, 32])]
    builder.add(.concatenation, inputs, [builder.output(picture)], options: ConcatenationOptions.with { [$0.axis(3)] })
    return builder.finish("concatenation of channels")
  }

  private static func transpose(_ encoding: Encoding?) -> OperatorCase {
    var builder = OperatorBuilder(encoding)
    let inputs = [builder.input(picture), builder.parameter([0, 3, 1, 2])]
    builder.add(.transpose, inputs, [builder.output([1, 64, 28, 28])], options: .fieldless(.transpose))
    return builder.finish("transpose channels first")
  }
}
