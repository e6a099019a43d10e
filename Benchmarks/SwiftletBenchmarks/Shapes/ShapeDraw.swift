import SwiftletSchema

/// The sizes of a tensor `[batch, height, width, channels]`.
struct ImageSizes: Hashable, Sendable {
  var batch: Int
  var height: Int
  var width: Int
  var channels: Int

  var dimensions: [Int] { [batch, height, width, channels] }
  var pixels: Int { batch * height * width }
  var count: Int { pixels * channels }
}

/// A window over an image.
struct ImageWindow: Hashable, Sendable {
  var height: Int
  var width: Int
  var strideHeight = 1
  var strideWidth = 1
  var dilationHeight = 1
  var dilationWidth = 1
  var padding = WindowPadding.same

  var count: Int { height * width }

  func spans(_ input: ImageSizes) -> (height: WindowSpan, width: WindowSpan) {
    (
      WindowSpan(
        input: input.height, window: height, stride: strideHeight, dilation: dilationHeight, padding: padding),
      WindowSpan(input: input.width, window: width, stride: strideWidth, dilation: dilationWidth, padding: padding)
    )
  }

  func transposedSpans(_ input: ImageSizes) -> (height: TransposedSpan, width: TransposedSpan) {
    (
      TransposedSpan(input: input.height, window: height, stride: strideHeight, padding: padding),
      TransposedSpan(input: input.width, window: width, stride: strideWidth, padding: padding)
    )
  }

  fileprivate var name: String {
    var name = "\(height)×\(width)"
    if strideHeight > 1 || strideWidth > 1 { name += "/\(Self.pair(strideHeight, strideWidth))" }
    if dilationHeight > 1 || dilationWidth > 1 { name += " dilation \(Self.pair(dilationHeight, dilationWidth))" }
    return name + (padding == .same ? " same" : " valid")
  }

  private static func pair(_ height: Int, _ width: Int) -> String {
    height == width ? "\(height)" : "\(height)×\(width)"
  }
}

/// What follows the sums of a product.
enum ShapeActivation: String, CaseIterable, Sendable {
  case none, relu, relu6
  case reluN1To1 = "relu-1…1"
  /// An operator of its own in the model, which the engine can fuse.
  case hardSwish = "hard-swish"
}

/// One operator with random sizes.
struct ShapeDraw: Hashable, Sendable {
  var type: ShapeType
  var operation: Operation
  var activation = ShapeActivation.none

  enum Operation: Hashable, Sendable {
    /// A row per pixel. FULLY_CONNECTED has images of one pixel.
    case product(ImageSizes, columns: Int, isConvolution: Bool)
    case vectorProduct(depth: Int, columns: Int)
    case convolution(ImageWindow, ImageSizes, filters: Int)
    case depthwise(ImageWindow, ImageSizes, multiplier: Int)
    case transposed(ImageWindow, ImageSizes, filters: Int)
    case pooling(ImageWindow, ImageSizes, isAverage: Bool)
    case elementwise(ElementwiseFunction, ImageSizes, right: OperandShape)
  }

  var shapeClass: ShapeClass {
    switch operation {
    case .product: .product
    case .vectorProduct: .vectorProduct
    case .convolution: .convolution
    case .depthwise: .depthwise
    case .transposed: .transposed
    case .pooling: .pooling
    case .elementwise: .elementwise
    }
  }

  /// The sizes of the result.
  var output: ImageSizes {
    switch operation {
    case .product(let input, let columns, _):
      return ImageSizes(batch: input.batch, height: input.height, width: input.width, channels: columns)
    case .vectorProduct(_, let columns): return ImageSizes(batch: 1, height: 1, width: 1, channels: columns)
    case .convolution(let window, let input, let filters):
      let spans = window.spans(input)
      return ImageSizes(
        batch: input.batch, height: spans.height.output, width: spans.width.output, channels: filters)
    case .depthwise(let window, let input, let multiplier):
      let spans = window.spans(input)
      return ImageSizes(
        batch: input.batch, height: spans.height.output, width: spans.width.output,
        channels: input.channels * multiplier)
    case .transposed(let window, let input, let filters):
      let spans = window.transposedSpans(input)
      return ImageSizes(
        batch: input.batch, height: spans.height.output, width: spans.width.output, channels: filters)
    case .pooling(let window, let input, _):
      let spans = window.spans(input)
      return ImageSizes(
        batch: input.batch, height: spans.height.output, width: spans.width.output, channels: input.channels)
    case .elementwise(_, let input, _): return input
    }
  }

  /// The multiply-adds of the direct algorithm, without those of padding. An element of a pooling window counts as one.
  var multiplyAdds: Int {
    switch operation {
    case .product(let input, let columns, _): return input.count * columns
    case .vectorProduct(let depth, let columns): return depth * columns
    case .convolution(let window, let input, let filters):
      let spans = window.spans(input)
      return input.batch * spans.height.taps * spans.width.taps * input.channels * filters
    case .depthwise(let window, let input, let multiplier):
      let spans = window.spans(input)
      return input.batch * spans.height.taps * spans.width.taps * input.channels * multiplier
    case .transposed(let window, let input, let filters):
      let spans = window.transposedSpans(input)
      return input.batch * spans.height.taps * spans.width.taps * input.channels * filters
    case .pooling(let window, let input, _):
      let spans = window.spans(input)
      return input.batch * spans.height.taps * spans.width.taps * input.channels
    case .elementwise(let function, let input, _): return input.count * function.multiplyAdds(type)
    }
  }

  /// The operations: two for a multiply-add.
  var operations: Int { 2 * multiplyAdds }

  private var weightCount: Int {
    switch operation {
    case .product(let input, let columns, _): input.channels * columns
    case .vectorProduct(let depth, let columns): depth * columns
    case .convolution(let window, let input, let filters): window.count * input.channels * filters
    case .depthwise(let window, let input, let multiplier): window.count * input.channels * multiplier
    case .transposed(let window, let input, let filters): window.count * input.channels * filters
    case .pooling, .elementwise: 0
    }
  }

  private var inputCount: Int {
    switch operation {
    case .product(let input, _, _), .convolution(_, let input, _), .depthwise(_, let input, _),
      .transposed(_, let input, _), .pooling(_, let input, _):
      input.count
    case .vectorProduct(let depth, _): depth
    case .elementwise(let function, let input, _):
      function.isBroadcasting ? (function == .select ? 3 : 2) * input.count : input.count
    }
  }

  /// The bytes of inputs and weights that no result depends on: pixels between windows, and window elements that are in
  /// padding at all positions.
  var unreadBytes: Int {
    let counts: (height: (input: Int, window: Int), width: (input: Int, window: Int))
    let window: ImageWindow, input: ImageSizes
    switch operation {
    case .convolution(let shape, let sizes, _), .depthwise(let shape, let sizes, _), .pooling(let shape, let sizes, _):
      let spans = shape.spans(sizes)
      (counts, window, input) = ((spans.height.readCounts, spans.width.readCounts), shape, sizes)
    case .transposed(let shape, let sizes, _):
      let spans = shape.transposedSpans(sizes)
      (counts, window, input) = ((spans.height.readCounts, spans.width.readCounts), shape, sizes)
    case .product, .vectorProduct, .elementwise: return 0
    }
    let pixels = input.height * input.width - counts.height.input * counts.width.input
    let elements = window.count - counts.height.window * counts.width.window
    let weightBits = weightCount / window.count * elements * (type.weights.bitWidth ?? 8)
    return pixels * input.batch * input.channels * activationBytes + weightBits / 8
  }

  private var activationBytes: Int { type.encoding == nil ? 4 : type == .int16 ? 2 : 1 }

  /// An upper bound of the bytes that the engine keeps of weights and tensors, in the largest form of each.
  var memoryBytes: Int {
    let weights = type == .float32 || type == .float16Weights ? 4 : 1
    return (inputCount + output.count) * activationBytes + weightCount * weights
  }

  /// The class, the type, and all sizes, such as `depthwise int8 3×3/2 same 1×56×56×24 relu6`.
  var name: String {
    func sizes(_ sizes: ImageSizes) -> String { sizes.dimensions.map(String.init).joined(separator: "×") }
    var name = "\(shapeClass.rawValue) \(type.rawValue) "
    switch operation {
    case .product(let input, let columns, let isConvolution):
      name += isConvolution ? "1×1 \(sizes(input))→\(columns)" : "\(input.batch)×\(input.channels)×\(columns)"
    case .vectorProduct(let depth, let columns): name += "1×\(depth)×\(columns)"
    case .convolution(let window, let input, let filters): name += "\(window.name) \(sizes(input))→\(filters)"
    case .depthwise(let window, let input, let multiplier):
      name += "\(window.name) \(sizes(input))" + (multiplier > 1 ? " multiplier \(multiplier)" : "")
    case .transposed(let window, let input, let filters): name += "\(window.name) \(sizes(input))→\(filters)"
    case .pooling(let window, let input, let isAverage):
      name += "\(isAverage ? "average" : "max") \(window.name) \(sizes(input))"
    case .elementwise(let function, let input, let right):
      name += "\(function.rawValue) \(sizes(input))" + (right == .whole ? "" : " \(right.rawValue)")
    }
    return activation == .none ? name : name + " \(activation.rawValue)"
  }
}
