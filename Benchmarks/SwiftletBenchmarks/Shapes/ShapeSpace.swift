import Foundation
import SwiftletSchema
import SwiftletTestSupport

/// The space of operators and sizes from which the suite draws.
///
/// Sizes are uniform on a logarithmic scale, so that small and large ones are equally frequent. Images get the size at
/// which the work of the operator has a random value of its range.
enum ShapeSpace {
  /// The range of operations, two per multiply-add.
  static let operations = 50_000...200_000_000
  /// The maximum of `memoryBytes`.
  static let memoryLimit = 64_000_000
  /// The range of the bytes of the weights of vector products.
  static let vectorWeightBytes = 2_000_000...60_000_000
  static let channels = 1...1024
  static let rows = 1...4096
  static let batches = 1...8
  static let imageSide = 1...512

  /// Returns the first draws of a seed. A larger count continues the same sequence.
  ///
  /// - Parameter isIncluded: Whether a draw of this name counts.
  /// - Returns: `count` draws, or fewer if almost none of the space is included.
  static func draws(_ count: Int, seed: UInt64, where isIncluded: (String) -> Bool = { _ in true }) -> [ShapeDraw] {
    var random = SplitMix64(state: seed)
    var draws: [ShapeDraw] = []
    for _ in 0..<(500 * count + 500) where draws.count < count {
      let draw = draw(&random)
      if isIncluded(draw.name) { draws.append(draw) }
    }
    return draws
  }

  static func contains(_ draw: ShapeDraw) -> Bool {
    let output = draw.output
    return output.height > 0 && output.width > 0 && output.height <= 4096 && output.width <= 4096
      && operations.contains(draw.operations) && draw.memoryBytes <= memoryLimit
  }

  private static func draw(_ random: inout SplitMix64) -> ShapeDraw {
    let shapeClass = random.weighted(ShapeClass.allCases, \.weight)
    while true {
      let draw = candidate(shapeClass, &random)
      if contains(draw) { return draw }
    }
  }

  /// Returns a draw of a class that may be outside the bounds.
  private static func candidate(_ shapeClass: ShapeClass, _ random: inout SplitMix64) -> ShapeDraw {
    let type = random.weighted(shapeClass.types, \.weight)
    switch shapeClass {
    case .product: return product(type, &random)
    case .vectorProduct: return vectorProduct(type, &random)
    case .convolution: return convolution(type, &random)
    case .depthwise: return depthwise(type, &random)
    case .transposed: return transposed(type, &random)
    case .pooling: return pooling(type, &random)
    case .elementwise: return elementwise(&random)
    }
  }

  // MARK: Classes

  private static func product(_ type: ShapeType, _ random: inout SplitMix64) -> ShapeDraw {
    let depth = random.channels(channels), columns = random.channels(channels)
    let isConvolution = random.chance(0.5)
    var input = ImageSizes(batch: random.logarithmic(rows), height: 1, width: 1, channels: depth)
    if isConvolution {
      let batch = random.batch(batches)
      let (height, width) = random.sides(pixels: Double(input.batch) / Double(batch), imageSide)
      input = ImageSizes(batch: batch, height: height, width: width, channels: depth)
    }
    return ShapeDraw(
      type: type, operation: .product(input, columns: columns, isConvolution: isConvolution),
      activation: random.activation(type))
  }

  private static func vectorProduct(_ type: ShapeType, _ random: inout SplitMix64) -> ShapeDraw {
    let bytes = random.logarithmic(vectorWeightBytes)
    let count = bytes * 8 / (type.weights.bitWidth ?? 8)
    let depth = random.channels(64...8192)
    return ShapeDraw(
      type: type, operation: .vectorProduct(depth: depth, columns: max(1, count / depth)),
      activation: random.activation(type))
  }

  private static func convolution(_ type: ShapeType, _ random: inout SplitMix64) -> ShapeDraw {
    let channels = random.chance(0.1) ? Int.random(in: 1...4, using: &random) : random.channels(1...512)
    let filters = random.channels(1...512)
    let window = random.window(1...7)
    let input = image(
      channels: channels, stride: window.strideHeight * window.strideWidth,
      operationsPerPixel: 2 * window.count * channels * filters, &random)
    return ShapeDraw(
      type: type, operation: .convolution(window, input, filters: filters), activation: random.activation(type))
  }

  private static func depthwise(_ type: ShapeType, _ random: inout SplitMix64) -> ShapeDraw {
    let channels = random.channels(1...1024)
    let multiplier = random.chance(0.75) ? 1 : Int.random(in: 2...4, using: &random)
    let window = random.window(1...7)
    let input = image(
      channels: channels, stride: window.strideHeight * window.strideWidth,
      operationsPerPixel: 2 * window.count * channels * multiplier, &random)
    return ShapeDraw(
      type: type, operation: .depthwise(window, input, multiplier: multiplier),
      activation: random.activation(type, takesOperators: false))
  }

  private static func transposed(_ type: ShapeType, _ random: inout SplitMix64) -> ShapeDraw {
    // The windows of neighboring pixels overlap up to eight times.
    func stride(_ window: Int) -> Int { random.logarithmic(max(1, window / 8)...min(16, window)) }
    var window = ImageWindow(height: random.logarithmic(2...64), width: 1)
    window.width = window.height
    window.strideHeight = stride(window.height)
    window.strideWidth = window.strideHeight
    if random.chance(0.25) {
      // Windows of one row or one column, as for sound.
      if random.chance(0.7) {
        (window.height, window.strideHeight) = (1, 1)
      } else {
        (window.width, window.strideWidth) = (1, 1)
      }
    } else if random.chance(0.15) {
      window.width = random.logarithmic(2...64)
      window.strideWidth = stride(window.width)
    }
    window.padding = random.chance(0.6) ? .same : .valid
    let channels = random.channels(1...256), filters = random.channels(1...256)
    var input = image(
      channels: channels, stride: 1, operationsPerPixel: 2 * window.count * channels * filters, &random)
    if window.height == 1, random.chance(0.7) { (input.width, input.height) = (input.width * input.height, 1) }
    return ShapeDraw(
      type: type, operation: .transposed(window, input, filters: filters),
      activation: random.activation(type, takesOperators: false))
  }

  private static func pooling(_ type: ShapeType, _ random: inout SplitMix64) -> ShapeDraw {
    let channels = random.channels(channels)
    var window = random.window(2...7)
    (window.dilationHeight, window.dilationWidth) = (1, 1)
    if random.chance(0.5) { (window.strideHeight, window.strideWidth) = (window.height, window.width) }
    var input = image(
      channels: channels, stride: window.strideHeight * window.strideWidth,
      operationsPerPixel: 2 * window.count * channels, &random)
    if random.chance(0.15) {
      // One window as large as the image.
      (input.height, input.width) = (min(input.height, 64), min(input.width, 64))
      window = ImageWindow(height: input.height, width: input.width, padding: .valid)
    }
    return ShapeDraw(
      type: type, operation: .pooling(window, input, isAverage: random.chance(0.5)),
      activation: random.activation(type, takesOperators: false))
  }

  private static func elementwise(_ random: inout SplitMix64) -> ShapeDraw {
    let function = random.weighted(ElementwiseFunction.allCases) { _ in 1 }
    let type = random.weighted(function.types, \.weight)
    let channels = random.channels(channels)
    let input = image(
      channels: channels, stride: 1, operationsPerPixel: 2 * channels * function.multiplyAdds(type), &random)
    let right: OperandShape =
      function.isBroadcasting && random.chance(0.5) ? random.weighted(OperandShape.allCases) { _ in 1 } : .whole
    return ShapeDraw(type: type, operation: .elementwise(function, input, right: right))
  }

  // MARK: Sizes

  /// Returns the sizes of an image whose windows, in `stride` pixels each, take a random number of operations.
  private static func image(
    channels: Int, stride: Int, operationsPerPixel: Int, _ random: inout SplitMix64
  ) -> ImageSizes {
    let target = random.logarithmic(operations), batch = random.batch(batches)
    let pixels = Double(target) / Double(operationsPerPixel) * Double(stride) / Double(batch)
    let (height, width) = random.sides(pixels: pixels, imageSide)
    return ImageSizes(batch: batch, height: height, width: width, channels: channels)
  }
}

extension SplitMix64 {
  fileprivate mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// Returns an integer that is uniform on a logarithmic scale.
  fileprivate mutating func logarithmic(_ range: ClosedRange<Int>) -> Int {
    let bounds = (log2(Double(range.lowerBound)), log2(Double(range.upperBound) + 1))
    return min(max(Int(exp2(Double.random(in: bounds.0..<bounds.1, using: &self))), range.lowerBound), range.upperBound)
  }

  /// Returns a number of channels: any number, or in a third of the cases the next multiple of 8, as in many networks.
  fileprivate mutating func channels(_ range: ClosedRange<Int>) -> Int {
    let count = logarithmic(range)
    return chance(1.0 / 3) ? min((count + 7) & ~7, range.upperBound) : count
  }

  fileprivate mutating func batch(_ range: ClosedRange<Int>) -> Int {
    chance(0.75) ? 1 : Int.random(in: range, using: &self)
  }

  /// Returns the height and the width of an image, which is a square in two thirds of the cases.
  fileprivate mutating func sides(pixels: Double, _ range: ClosedRange<Int>) -> (Int, Int) {
    let aspect = chance(2.0 / 3) ? 1 : exp2(Double.random(in: -2...2, using: &self))
    func side(_ length: Double) -> Int {
      Int(min(max(length.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }
    return (side((pixels * aspect).squareRoot()), side((pixels / aspect).squareRoot()))
  }

  /// Returns a window, which is a square with equal strides in most cases.
  fileprivate mutating func window(_ sizes: ClosedRange<Int>) -> ImageWindow {
    var window = ImageWindow(height: chance(0.35) ? 3 : Int.random(in: sizes, using: &self), width: 1)
    window.width = chance(0.75) ? window.height : Int.random(in: sizes, using: &self)
    window.strideHeight = chance(0.6) ? 1 : Int.random(in: 2...3, using: &self)
    window.strideWidth = chance(0.9) ? window.strideHeight : Int.random(in: 1...3, using: &self)
    if chance(0.2) {
      window.dilationHeight = Int.random(in: 2...4, using: &self)
      window.dilationWidth = chance(0.8) ? window.dilationHeight : Int.random(in: 1...4, using: &self)
    }
    window.padding = chance(0.7) ? .same : .valid
    return window
  }

  fileprivate mutating func activation(_ type: ShapeType, takesOperators: Bool = true) -> ShapeActivation {
    guard chance(0.6) else { return .none }
    let isFloat = type.encoding == nil
    return weighted([.relu, .relu6, .reluN1To1] + (isFloat && takesOperators ? [.hardSwish] : [])) { _ in 1 }
  }

  fileprivate mutating func weighted<Value>(_ values: [Value], _ weight: (Value) -> Int) -> Value {
    var position = Int.random(in: 0..<values.reduce(0) { $0 + weight($1) }, using: &self)
    return values.first {
      position -= weight($0)
      return position < 0
    } ?? values[0]
  }
}
