import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of convolutions")
struct ConvolutionRefusalTests {
  /// Returns options for a window of one element with stride 1, unless fields override them.
  private static func options(
    _ padding: WindowPadding = .valid, stride: (Int, Int) = (1, 1), dilation: (Int, Int) = (1, 1)
  ) -> WrittenOptions {
    Conv2DOptions.with {
      [
        $0.padding(padding), $0.strideHeight(stride.0), $0.strideWidth(stride.1), $0.dilationHeight(dilation.0),
        $0.dilationWidth(dilation.1),
      ]
    }
  }

  private static func convolution(
    _ input: [Int], _ filter: [Int], bias: [Int]? = nil, _ options: WrittenOptions? = nil
  ) -> Probe {
    Probe(
      .conv2D, [.floats(input), .zeros(.float32, filter), .optional(bias)], [.floats()],
      options ?? Self.options())
  }

  private static let plain = convolution([1, 3, 4, 2], [3, 2, 2, 2], bias: [3])

  private static let sizes: [Refusal] = [
    Refusal("requires an input of rank 4 in which only the batch may be empty", convolution([3, 4, 2], [3, 2, 2, 2])),
    Refusal(
      "requires an input of rank 4", convolution([1, 0, 4, 2], [3, 2, 2, 2]),
      but: convolution([0, 3, 4, 2], [3, 2, 2, 2])),
    Refusal("requires an input of rank 4", convolution([1, 3, 0, 2], [3, 2, 2, 2])),
    Refusal("requires an input of rank 4", convolution([1, 3, 4, 0], [3, 2, 2, 2])),
    Refusal("takes a filter of rank 4 without empty dimensions", convolution([1, 3, 4, 2], [3, 2, 2])),
    Refusal("cannot share the 4 channels", convolution([1, 3, 4, 4], [3, 2, 2, 3])),
    Refusal(
      "the 3 filters of", convolution([1, 3, 4, 4], [3, 2, 2, 2]), but: convolution([1, 3, 4, 4], [4, 2, 2, 2])),
    Refusal("takes a bias of 3 elements", convolution([1, 3, 4, 2], [3, 2, 2, 2], bias: [2]), but: plain),
    Refusal("takes a bias of 3 elements", convolution([1, 3, 4, 2], [3, 2, 2, 2], bias: [4])),
    Refusal(
      "has a window of 5 along the height, larger than the input of 3", convolution([1, 3, 4, 2], [3, 5, 2, 2]),
      but: convolution([1, 3, 4, 2], [3, 3, 2, 2])),
    Refusal(
      "along the width, larger than the input of 4",
      convolution([1, 3, 4, 2], [3, 2, 3, 2], options(dilation: (1, 3))),
      but: convolution([1, 3, 4, 2], [3, 2, 2, 2], options(dilation: (1, 3)))),
    Refusal("height stride of 0", convolution([1, 3, 4, 2], [3, 2, 2, 2], options(stride: (0, 1)))),
    Refusal("width stride of 0", convolution([1, 3, 4, 2], [3, 2, 2, 2], options(stride: (1, 0)))),
    Refusal("height dilation of 0", convolution([1, 3, 4, 2], [3, 2, 2, 2], options(dilation: (0, 1)))),
    Refusal("width dilation of -1", convolution([1, 3, 4, 2], [3, 2, 2, 2], options(dilation: (1, -1)))),
    Refusal(
      "has padding 2; it must be 0 (SAME) or 1 (VALID)",
      convolution([1, 3, 4, 2], [3, 2, 2, 2], options().replacing(Conv2DOptions.padding(code: 2)))),
    Refusal(
      "has fused activation 6, which the format does not define",
      convolution([1, 3, 4, 2], [3, 2, 2, 2], options().replacing(Conv2DOptions.fusedActivation(code: 6)))),
    Refusal(
      "has fused activation tanh, which the operator does not take",
      convolution([1, 3, 4, 2], [3, 2, 2, 2], options().replacing(Conv2DOptions.fusedActivation(.tanh))),
      but: convolution([1, 3, 4, 2], [3, 2, 2, 2], options().replacing(Conv2DOptions.fusedActivation(.reluN1To1)))),
    Refusal(
      "signBit",
      convolution([1, 3, 4, 2], [3, 2, 2, 2], options().replacing(Conv2DOptions.fusedActivation(.signBit))),
      but: convolution([1, 3, 4, 2], [3, 2, 2, 2], options().replacing(Conv2DOptions.fusedActivation(.relu6)))),
    Refusal(
      "takes 2 to 3 inputs, but the model has 1", Probe(.conv2D, [.floats([1, 3, 4, 2])], [.floats()], options())),
  ]

  private static func depthwise(
    _ input: [Int], _ filter: [Int], bias: [Int]? = nil, filterType: ElementType = .float32
  ) -> Probe {
    let filter = ProbeTensor.zeros(filterType, filter)
    return Probe(
      .depthwiseConv2D,
      [.floats(input), filterType == .float32 ? filter : filter.scaled(0.5), .optional(bias)], [.floats()],
      DepthwiseConv2DOptions.with { [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(1)] })
  }

  private static let depthwiseCases: [Refusal] = [
    Refusal("takes a filter of shape [1×height×width×channels]", depthwise([1, 3, 4, 2], [2, 2, 2])),
    Refusal(
      "takes a filter of shape", depthwise([1, 3, 4, 2], [2, 2, 2, 2]), but: depthwise([1, 3, 4, 2], [1, 2, 2, 2])),
    Refusal(
      "takes a filter with a multiple of the 2 channels", depthwise([1, 3, 4, 2], [1, 2, 2, 3]),
      but: depthwise([1, 3, 4, 2], [1, 2, 2, 4])),
    Refusal(
      "takes a bias of 4 elements", depthwise([1, 3, 4, 2], [1, 2, 2, 4], bias: [2]),
      but: depthwise([1, 3, 4, 2], [1, 2, 2, 4], bias: [4])),
    Refusal(
      "has a window \(DepthwiseKernels.greatestHeight + 1) elements high",
      depthwise([1, 1, 1, 1], [1, DepthwiseKernels.greatestHeight + 1, 1, 1]),
      but: depthwise([1, 1, 1, 1], [1, DepthwiseKernels.greatestHeight, 1, 1]), code: .limitExceeded),
    Refusal(
      "which is too large for float32 tensors with int8 weights",
      depthwise([1, 1, 1, 4], [1, 200, 200, 4], filterType: .int8),
      but: depthwise([1, 1, 1, 4], [1, 3, 3, 4], filterType: .int8), code: .limitExceeded),
  ]

  private static func transposed(
    _ output: [Int32], _ filter: [Int], _ input: [Int], bias: [Int]? = nil, padding: WindowPadding = .same
  ) -> Probe {
    Probe(
      .transposeConv,
      [.ints(output), .zeros(.float32, filter), .floats(input), .optional(bias)],
      [.floats()],
      TransposeConvOptions.with { [$0.padding(padding), $0.strideHeight(2), $0.strideWidth(2)] })
  }

  private static let transposedCases: [Refusal] = [
    Refusal(
      "takes an output shape of 4 elements with positive height and width",
      transposed([4, 4, 1], [1, 2, 2, 3], [1, 2, 2, 3])),
    Refusal(
      "takes an output shape of 4 elements", transposed([1, 0, 4, 1], [1, 2, 2, 3], [1, 2, 2, 3]),
      but: transposed([1, 4, 4, 1], [1, 2, 2, 3], [1, 2, 2, 3])),
    Refusal("takes an output shape of 4 elements", transposed([1, 4, 0, 1], [1, 2, 2, 3], [1, 2, 2, 3])),
    Refusal("of rank 4 with the same channels", transposed([1, 4, 4, 1], [1, 2, 2, 2], [1, 2, 2, 3])),
    Refusal("of rank 4 with the same channels", transposed([1, 4, 4, 1], [1, 2, 6], [1, 2, 2, 3])),
    Refusal("of rank 4 with the same channels", transposed([1, 4, 4, 1], [1, 2, 2, 3], [2, 2, 3])),
    Refusal("without empty dimensions", transposed([1, 4, 4, 1], [1, 2, 2, 3], [1, 0, 2, 3])),
    Refusal("cannot produce an output of shape [2×4×4×1]", transposed([2, 4, 4, 1], [1, 2, 2, 3], [1, 2, 2, 3])),
    Refusal("cannot produce an output of shape [1×4×4×2]", transposed([1, 4, 4, 2], [1, 2, 2, 3], [1, 2, 2, 3])),
    Refusal(
      "takes a bias of 1 elements", transposed([1, 4, 4, 1], [1, 2, 2, 3], [1, 2, 2, 3], bias: [2]),
      but: transposed([1, 4, 4, 1], [1, 2, 2, 3], [1, 2, 2, 3], bias: [1])),
    Refusal(
      "has a window of 6 along the width", transposed([1, 4, 2, 1], [1, 3, 6, 3], [1, 2, 2, 3], padding: .valid),
      but: transposed([1, 4, 3, 1], [1, 3, 3, 3], [1, 2, 2, 3], padding: .valid)),
  ]

  private static func box(
    _ input: [Int], _ filter: [Int], bias: [Int]? = nil, output: [Int32]? = nil, stride: Int = 1
  ) -> Probe {
    let options = Conv3DOptions.with {
      [$0.padding(.same), $0.strideDepth(stride), $0.strideHeight(1), $0.strideWidth(1)]
    }
    guard let output else {
      return Probe(.conv3D, [.floats(input), .zeros(.float32, filter), .optional(bias)], [.floats()], options)
    }
    return Probe(
      .conv3DTranspose, [.ints(output), .zeros(.float32, filter), .floats(input), .optional(bias)], [.floats()], options
    )
  }

  private static let boxes: [Refusal] = [
    Refusal("of rank 5 with the same channels", box([1, 2, 2, 3], [2, 2, 2, 3, 1])),
    Refusal("of rank 5 with the same channels", box([1, 2, 2, 2, 3], [2, 2, 3, 1])),
    Refusal(
      "of rank 5 with the same channels", box([1, 2, 2, 2, 3], [2, 2, 2, 2, 1]),
      but: box([1, 2, 2, 2, 3], [2, 2, 2, 3, 1])),
    Refusal(
      "without empty dimensions", box([1, 2, 0, 2, 3], [2, 2, 2, 3, 1]), but: box([0, 2, 2, 2, 3], [2, 2, 2, 3, 1])),
    Refusal(
      "takes a bias of 4 elements", box([1, 2, 2, 2, 3], [2, 2, 2, 3, 4], bias: [3]),
      but: box([1, 2, 2, 2, 3], [2, 2, 2, 3, 4], bias: [4])),
    Refusal("has a depth stride of 0", box([1, 2, 2, 2, 3], [2, 2, 2, 3, 1], stride: 0)),
    Refusal(
      "takes an output shape of 5 elements with positive sizes",
      box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], output: [1, 2, 2, 4])),
    Refusal(
      "takes an output shape of 5 elements", box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], output: [1, 0, 2, 2, 4]),
      but: box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], output: [1, 2, 2, 2, 4])),
    Refusal(
      "takes an output shape of 5 elements", box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], output: [1, 2, 2, 0, 4])),
    Refusal(
      "of rank 5 with the same channels", box([1, 2, 2, 2, 3], [2, 2, 2, 4, 2], output: [1, 2, 2, 2, 4])),
    Refusal("of rank 5 with the same channels", box([1, 2, 2, 3], [2, 2, 2, 4, 3], output: [1, 2, 2, 2, 4])),
    Refusal(
      "cannot produce an output of shape", box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], output: [2, 2, 2, 2, 4])),
    Refusal(
      "cannot produce an output of shape", box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], output: [1, 2, 2, 2, 3])),
    Refusal(
      "takes a bias of 4 elements", box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], bias: [3], output: [1, 2, 2, 2, 4]),
      but: box([1, 2, 2, 2, 3], [2, 2, 2, 4, 3], bias: [4], output: [1, 2, 2, 2, 4])),
  ]

  /// Returns an 8-bit convolution with these tensors.
  private static func quantized(
    _ type: ElementType = .int8, input: (Float, Int32) = (0.5, 0), output: (Float, Int32) = (0.5, 0),
    filter: (ProbeTensor) -> ProbeTensor
  ) -> Probe {
    let weights = ProbeTensor.zeros(type == .int16 ? .int8 : type, [2, 1, 1, 3])
    return Probe(
      .conv2D,
      [
        .of(type, [1, 2, 2, 3], scale: input.0, zeroPoint: input.1), filter(weights),
        .zeros(type == .int16 ? .int64 : .int32, [2]),
      ], [.of(type, scale: output.0, zeroPoint: output.1)], options())
  }

  private static let quantizedCases: [Refusal] = [
    Refusal("parameters, 't1' int8[2×1×1×3] has none", quantized { $0 }),
    Refusal("zero points of 0", quantized { $0.scaled(0.5, 1) }, but: quantized { $0.scaled(0.5) }),
    Refusal(
      "zero points that their type can hold",
      quantized(.uint8, input: (0.5, 128), output: (0.5, 0)) { $0.scaled(0.5, 256) },
      but: quantized(.uint8, input: (0.5, 128), output: (0.5, 0)) { $0.scaled(0.5, 255) }, isUnread: true),
    Refusal(
      "takes weights with scales per channel only in signed types",
      quantized(.uint8) { $0.scaled([0.5, 1], axis: 0) }, but: quantized { $0.scaled([0.5, 1], axis: 0) }),
    Refusal(
      "takes weights with 1 scale, or 2 along dimension 0", quantized { $0.scaled([0.5, 1, 1], axis: 3) }),
    Refusal("has 2 along dimension 1", quantized { $0.scaled([0.5, 1], axis: 1) }, isUnread: true),
    Refusal(
      "scales that are finite and not negative", quantized { $0.scaled([0.5, -1], axis: 0) },
      but: quantized { $0.scaled([0.5, 0], axis: 0) }, isUnread: true),
    Refusal(
      "scales that are finite and not negative", quantized { $0.scaled([.infinity, 1], axis: 0) }, isUnread: true),
    Refusal(
      "has zero point 128, which its type cannot hold", quantized(input: (0.5, 128)) { $0.scaled(0.5) },
      but: quantized(input: (0.5, 127)) { $0.scaled(0.5) }, isUnread: true),
    Refusal(
      "has zero point -129, which its type cannot hold", quantized(output: (0.5, -129)) { $0.scaled(0.5) },
      but: quantized(output: (0.5, -128)) { $0.scaled(0.5) }, isUnread: true),
    Refusal(
      "has zero point 1; it must be 0", quantized(.int16, input: (0.5, 1)) { $0.scaled(0.5) },
      but: quantized(.int16) { $0.scaled(0.5) }),
    Refusal("has zero point 1; it must be 0", quantized(.int16, output: (0.5, 1)) { $0.scaled(0.5) }),
    Refusal("it must be positive", quantized(input: (0, 0)) { $0.scaled(0.5) }),
    Refusal("it must be positive", quantized(output: (.infinity, 0)) { $0.scaled(0.5) }, isUnread: true),
    Refusal("it must be positive", quantized(output: (-1, 0)) { $0.scaled(0.5) }, isUnread: true),
  ]

  @Test("sizes and options that are inconsistent with an image", arguments: sizes)
  func refusesSizes(refusal: Refusal) { refusal.check() }

  @Test("inconsistent depthwise filters", arguments: depthwiseCases)
  func refusesDepthwise(refusal: Refusal) { refusal.check() }

  @Test("impossible outputs of a transposed convolution", arguments: transposedCases)
  func refusesTransposed(refusal: Refusal) { refusal.check() }

  @Test("inconsistent 3D filters", arguments: boxes)
  func refusesBoxes(refusal: Refusal) { refusal.check() }

  @Test("unsupported quantization", arguments: quantizedCases)
  func refusesQuantization(refusal: Refusal) { refusal.check() }

  @Test("images with more elements than fit in 32 bits, before any allocation")
  func refusesLargeImages() {
    func image(_ side: Int) -> Probe {
      Probe(
        .conv2D, [.of(.int8, [1, side, 1 << 16, 1], scale: 1), .zeros(.int8, [1, 3, 3, 1]).scaled(1)],
        [.of(.int8, scale: 1)],
        Conv2DOptions.with { [$0.padding(.same), $0.strideHeight(1 << 14), $0.strideWidth(1 << 14)] })
    }
    Refusal(
      "an input image of 32768×65536×1 has more elements than fit 32 bits", image(1 << 15), but: image((1 << 15) - 1),
      code: .limitExceeded, isUnread: true
    ).check()
  }
}
