import SwiftletSchema
import SwiftletTestSupport

extension ShapeDraw {
  /// The model of the operator, with the traffic of the elements that results depend on.
  var model: OperatorCase {
    var builder = OperatorBuilder(type.encoding, weights: type.weights)
    switch operation {
    case .product(let input, let columns, let isConvolution):
      addProduct(to: &builder, input, columns: columns, isConvolution: isConvolution)
    case .vectorProduct(let depth, let columns):
      let input = ImageSizes(batch: 1, height: 1, width: 1, channels: depth)
      addProduct(to: &builder, input, columns: columns, isConvolution: false)
    case .convolution(let window, let input, let filters):
      addConvolution(to: &builder, window, input, filters: filters)
    case .depthwise(let window, let input, let multiplier):
      addDepthwise(to: &builder, window, input, multiplier: multiplier)
    case .transposed(let window, let input, let filters):
      addTransposed(to: &builder, window, input, filters: filters)
    case .pooling(let window, let input, let isAverage):
      let inputs = [builder.input(input.dimensions)]
      add(isAverage ? .averagePool2D : .maxPool2D, inputs, to: &builder, output.dimensions) { activation in
        Pool2DOptions.with {
          [
            $0.padding(window.padding), $0.strideWidth(window.strideWidth), $0.strideHeight(window.strideHeight),
            $0.filterWidth(window.width), $0.filterHeight(window.height), $0.fusedActivation(activation),
          ]
        }
      }
    case .elementwise(let function, let input, let right):
      add(function, to: &builder, input.dimensions, right: right.dimensions(input))
    }
    var model = builder.finish(named: name, multiplyAdds: multiplyAdds)
    model.traffic.read -= unreadBytes
    return model
  }

  private func addProduct(
    to builder: inout OperatorBuilder, _ input: ImageSizes, columns: Int, isConvolution: Bool
  ) {
    guard !isConvolution else {
      return addConvolution(to: &builder, ImageWindow(height: 1, width: 1), input, filters: columns)
    }
    let isPerChannel = type == .dynamicRange || type == .dynamicRange4
    let inputs = [
      builder.input([input.batch, input.channels]),
      builder.weights([columns, input.channels], axis: isPerChannel ? 0 : nil), builder.bias(columns),
    ]
    add(.fullyConnected, inputs, to: &builder, [input.batch, columns]) { activation in
      FullyConnectedOptions.with { [$0.fusedActivation(activation)] }
    }
  }

  private func addConvolution(
    to builder: inout OperatorBuilder, _ window: ImageWindow, _ input: ImageSizes, filters: Int
  ) {
    let inputs = [
      builder.input(input.dimensions),
      builder.weights([filters, window.height, window.width, input.channels], axis: 0),
      builder.bias(filters, isPerChannel: true),
    ]
    add(.conv2D, inputs, to: &builder, output.dimensions) { activation in
      Conv2DOptions.with {
        [
          $0.padding(window.padding), $0.strideWidth(window.strideWidth), $0.strideHeight(window.strideHeight),
          $0.dilationWidth(window.dilationWidth), $0.dilationHeight(window.dilationHeight),
          $0.fusedActivation(activation),
        ]
      }
    }
  }

  private func addDepthwise(
    to builder: inout OperatorBuilder, _ window: ImageWindow, _ input: ImageSizes, multiplier: Int
  ) {
    let channels = input.channels * multiplier
    let inputs = [
      builder.input(input.dimensions), builder.weights([1, window.height, window.width, channels], axis: 3),
      builder.bias(channels, isPerChannel: true),
    ]
    add(.depthwiseConv2D, inputs, to: &builder, output.dimensions) { activation in
      DepthwiseConv2DOptions.with {
        [
          $0.padding(window.padding), $0.strideWidth(window.strideWidth), $0.strideHeight(window.strideHeight),
          $0.depthMultiplier(multiplier), $0.dilationWidth(window.dilationWidth),
          $0.dilationHeight(window.dilationHeight), $0.fusedActivation(activation),
        ]
      }
    }
  }

  private func addTransposed(
    to builder: inout OperatorBuilder, _ window: ImageWindow, _ input: ImageSizes, filters: Int
  ) {
    let inputs = [
      builder.parameter(output.dimensions.map(Int32.init)),
      builder.weights([filters, window.height, window.width, input.channels], axis: 0),
      builder.input(input.dimensions), builder.bias(filters, isPerChannel: true),
    ]
    add(.transposeConv, inputs, to: &builder, output.dimensions) { activation in
      TransposeConvOptions.with {
        [
          $0.padding(window.padding), $0.strideWidth(window.strideWidth), $0.strideHeight(window.strideHeight),
          $0.fusedActivation(activation),
        ]
      }
    }
  }

  /// Adds an operator and, if the activation is an operator of its own, that operator.
  private func add(
    _ builtin: BuiltinOperator, _ inputs: [Int], to builder: inout OperatorBuilder, _ shape: [Int],
    options: (FusedActivation) -> WrittenOptions
  ) {
    guard activation == .hardSwish else {
      return builder.add(builtin, inputs, [builder.output(shape)], options: options(activation.fused))
    }
    let sums = builder.intermediate(shape)
    builder.add(builtin, inputs, [sums], options: options(.none))
    builder.add(.hardSwish, [sums], [builder.output(shape)], options: .fieldless(.hardSwish))
  }

  private func add(
    _ function: ElementwiseFunction, to builder: inout OperatorBuilder, _ shape: [Int], right: [Int]
  ) {
    func binary(_ builtin: BuiltinOperator, _ options: WrittenOptions) {
      let inputs = [builder.input(shape), builder.input(right)]
      builder.add(builtin, inputs, [builder.output(shape)], options: options)
    }
    func unary(_ builtin: BuiltinOperator, _ options: WrittenOptions?, to range: OutputRange = .any) {
      let inputs = [builder.input(shape)]
      builder.add(builtin, inputs, [output(range, shape, of: &builder)], options: options)
    }
    switch function {
    case .add: binary(.add, AddOptions.empty)
    case .multiply: binary(.mul, MulOptions.empty)
    case .subtract: binary(.sub, SubOptions.empty)
    case .divide: binary(.div, DivOptions.empty)
    case .maximum: binary(.maximum, .fieldless(.maximumMinimum))
    case .greater:
      let inputs = [builder.input(shape), builder.input(right)]
      builder.add(.greater, inputs, [builder.output(shape, as: .bool)], options: .fieldless(.greater))
    case .select:
      let inputs = [builder.input(shape, as: .bool), builder.input(shape), builder.input(right)]
      builder.add(.selectV2, inputs, [builder.output(shape)], options: .fieldless(.selectV2))
    case .prelu:
      let inputs = [builder.input(shape), builder.weights([1, 1, shape[3]])]
      builder.add(.prelu, inputs, [builder.output(shape)])
    case .leakyRelu: unary(.leakyRelu, LeakyReluOptions.with { [$0.alpha(0.1)] })
    case .hardSwish: unary(.hardSwish, .fieldless(.hardSwish))
    case .gelu: unary(.gelu, GeluOptions.with { [$0.approximate(true)] })
    case .exp: unary(.exp, .fieldless(.exp))
    case .logistic: unary(.logistic, nil, to: .zeroToOne)
    case .tanh: unary(.tanh, nil, to: .minusOneToOne)
    }
  }

  /// The range of a function, which determines the encoding of its quantized results.
  private enum OutputRange { case any, zeroToOne, minusOneToOne }

  private func output(_ range: OutputRange, _ shape: [Int], of builder: inout OperatorBuilder) -> Int {
    guard range != .any, let type = type.encoding?.type else { return builder.output(shape) }
    if type == .int16 { return builder.output(shape, as: type, scale: 1 / 32768) }
    let zero: Int32 = type == .uint8 ? 0 : -128
    return range == .zeroToOne
      ? builder.output(shape, as: type, scale: 1 / 256, zeroPoint: zero)
      : builder.output(shape, as: type, scale: 1 / 128, zeroPoint: zero + 128)
  }
}

extension OperandShape {
  fileprivate func dimensions(_ left: ImageSizes) -> [Int] {
    switch self {
    case .whole: left.dimensions
    case .perChannel: [left.channels]
    case .perPixel: [left.batch, left.height, left.width, 1]
    case .scalar: [1]
    }
  }
}

extension ShapeActivation {
  /// The activation in the operator's options.
  fileprivate var fused: FusedActivation {
    switch self {
    case .none, .hardSwish: .none
    case .relu: .relu
    case .relu6: .relu6
    case .reluN1To1: .reluN1To1
    }
  }
}
