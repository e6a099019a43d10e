import SwiftletBase
import SwiftletEngine
import SwiftletImage

/// *Look*: a model of a chain that sees one region of the image, upright and stretched to its input, and gives points
/// and numbers.
///
/// One caller at a time.
final class RegionModel {
  /// What a model's output has to hold.
  struct Output: Sendable, Hashable {
    /// What an output's shape may be.
    enum Form: Sendable, Hashable {
      /// That many numbers in any shape.
      case numbers(Int)
      /// An image of any size with that many channels.
      case planes(channels: Int)
    }

    /// Its name in messages.
    var name: String
    var form: Form

    init(name: String, count: Int) { self.init(name: name, form: .numbers(count)) }

    init(name: String, form: Form) { (self.name, self.form) = (name, form) }

    func fits(_ spec: TensorSpec) -> Bool {
      switch form {
      case .numbers(let count): spec.shape.elementCount == count
      case .planes(let channels):
        spec.shape.rank == 4 && spec.shape[0] == 1 && spec.shape[3] == channels && spec.shape.elementCount > 0
      }
    }

    var description: String {
      switch form {
      case .numbers(let count): "\(count) numbers (\(name))"
      case .planes(let channels): "[1 × height × width × \(channels)] numbers (\(name))"
      }
    }
  }

  /// The way from points of the region to the stored image. MediaPipe has two, which differ in the last bits, and in
  /// depths as soon as the region is turned and the image is not a square.
  enum Placing: Sendable, Hashable {
    /// By the region alone, for squares in pixels; hands and poses. Depths are fractions of the image's width.
    case region
    /// By the map from the model's input to the image, for any region; faces. A depth is a fraction of the length that
    /// the region's upper side has where it lies, across in parts of the image's width and down in parts of its height.
    case projection
  }

  private let model: VisionModel
  private let outputs: [Output]
  private let source: ModelSource
  /// What stands behind messages about outputs.
  private let advice: String?
  /// From the model's input, 0…1, to the stored image.
  private(set) var projection = ImageProjection.identity
  /// The same for regions that are squares in pixels.
  private(set) var placement = RegionPlacement(.fullImage)

  /// - Parameters:
  ///   - context: The model, such as a member of a bundle, and how it runs.
  ///   - outputs: what the outputs are, by position; the model may have more.
  ///   - keepsAspectRatio: whether a region is grown to the proportions of the input instead of stretched. For squares
  ///     that is a matter of last bits.
  ///   - unread: positions of those whose numbers nobody asks for; what only they need is not computed.
  ///   - advice: what to say besides when the outputs are others, such as which models have them.
  /// - Throws: `TaskError` when the model is missing or its outputs are others.
  init(
    _ context: ModelContext, outputs: [Output], keepsAspectRatio: Bool = false, unread: Set<Int> = [],
    advice: String? = nil
  ) throws(TaskError) {
    model = try TaskError.naming(context.source) { () throws(TaskError) in
      try TaskError.wrapping {
        try VisionModel(context, input: .init(keepsAspectRatio: keepsAspectRatio), unusedOutputs: unread)
      }
    }
    (self.outputs, source, self.advice) = (outputs, context.source, advice)
    try checkOutputs()
  }

  /// Shapes may depend on values, so what fits before a run need not fit after it.
  private func checkOutputs() throws(TaskError) {
    for (index, output) in outputs.enumerated() {
      if model.outputs.indices.contains(index), output.fits(model.outputs[index]) { continue }
      let found = SanitizedText.list(model.outputs.map(\.description))
      throw .invalidModel(
        "the model \(source.description.excerpt) must have \(output.description) in output \(index), but its outputs are \(found)\(advice.map { "; " + $0 } ?? "")"
      )
    }
  }

  /// Runs the model on a region of the stored image. The outputs describe this region until the next call.
  ///
  /// - Parameter region: in coordinates of the stored image. Its rotation alone says which way is up: it is computed
  ///   from points of the stored image, so it includes the image's orientation.
  /// - Throws: `TaskError` for regions that ``RegionGeometry/isUsable(_:)`` refuses, and when the model cannot
  ///   run or its outputs change their sizes.
  func look(at region: NormalizedRect, in image: InputImage) throws {
    projection = try model.run(InputImage(image.buffer), region: region)
    placement = RegionPlacement(region)
    try checkOutputs()
  }

  /// Width and height of the model's input in pixels.
  var inputWidth: Int { model.inputWidth }
  var inputHeight: Int { model.inputHeight }

  /// Height, width and channels of an output of planes.
  func planeSize(_ output: Int) -> (height: Int, width: Int, channels: Int) {
    let shape = model.outputs[output].shape
    return (shape[1], shape[2], shape[3])
  }

  /// Gives `body` the numbers of an output.
  func withNumbers<Result>(
    _ output: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result {
    try model.withRealOutput(output, body)
  }

  /// The number of an output that has one.
  func value(_ output: Int) throws -> Float { try model.withRealOutput(output) { $0.first ?? 0 } }

  /// The points of an output, in the stored image.
  ///
  /// - Parameters:
  ///   - depthScale: what depths are divided by besides the input's width.
  ///   - placing: how points come into the image.
  /// - Throws: `TaskError` when there are no triples of numbers in pixels of the input.
  func landmarks(
    _ output: Int, depthScale: Float = 1, placing: Placing = .region
  ) throws -> [NormalizedLandmark] {
    let (width, height) = (Float(model.inputWidth), Float(model.inputHeight))
    let (placement, projection) = (placement, projection)
    let unit = placing == .region ? placement.depthScale : projection.upperSideLength
    return try triples(output) { x, y, z in
      let point = NormalizedPoint(x: x / width, y: y / height)
      let place = placing == .region ? placement(point) : projection(point)
      return NormalizedLandmark(x: place.x, y: place.y, z: z / width / depthScale * unit)
    }
  }

  /// The points of an output in meters, turned as they are in the stored image.
  ///
  /// - Parameter count: how many of them; `nil` for all.
  /// - Throws: `TaskError` when there are no triples of numbers.
  func worldLandmarks(_ output: Int, count: Int? = nil) throws -> [Landmark] {
    let placement = placement
    return try triples(output, count: count) { x, y, z in
      let point = placement.turned(NormalizedPoint(x: x, y: y))
      return Landmark(x: point.x, y: point.y, z: z)
    }
  }

  private func triples<Point>(
    _ output: Int, count: Int? = nil, _ point: (Float, Float, Float) -> Point
  ) throws -> [Point] {
    try model.withRealOutput(output) { values in
      guard values.count.isMultiple(of: 3) else {
        throw TaskError.invalidModel("output \(output) has \(values.count) numbers, which are no points of three")
      }
      return (0..<min(count ?? .max, values.count / 3)).map { index in
        point(values[3 * index], values[3 * index + 1], values[3 * index + 2])
      }
    }
  }
}

extension ImageProjection {
  /// The length of what the upper side of the unit square is mapped to; rounded as MediaPipe rounds the lengths of faces'
  /// depths.
  fileprivate var upperSideLength: Float {
    let (start, end) = (self(NormalizedPoint(x: 0, y: 0)), self(NormalizedPoint(x: 1, y: 0)))
    let (x, y) = (Double(end.x - start.x), Double(end.y - start.y))
    return Float((x * x + y * y).squareRoot())
  }
}

/// The map from points of a region, 0…1 along its own axes, to the stored image, for regions that are squares in pixels.
///
/// Other than `ImageProjection`, which is exact for any region, the map knows nothing of the image's shape.
///
/// - Source: the landmark projection of MediaPipe's hand and pose tasks, in its order of operations, so that landmarks
///   are equal in every bit.
struct RegionPlacement: Sendable, Hashable {
  private let center: NormalizedPoint
  private let width: Float
  private let height: Float
  private let cosine: Float
  private let sine: Float

  init(_ region: NormalizedRect) {
    (center, width, height) = (region.center, region.width, region.height)
    (cosine, sine) = (RoundedFunctions.cosine(region.rotation), RoundedFunctions.sine(region.rotation))
  }

  /// The factor from depths in widths of the region to depths in widths of the image.
  var depthScale: Float { width }

  /// The place in the image of a point of the region.
  func callAsFunction(_ point: NormalizedPoint) -> NormalizedPoint {
    let way = turned(NormalizedPoint(x: point.x - 0.5, y: point.y - 0.5))
    return NormalizedPoint(x: way.x * width + center.x, y: way.y * height + center.y)
  }

  /// The point, turned about the origin as the region is.
  func turned(_ point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(x: cosine * point.x - sine * point.y, y: sine * point.x + cosine * point.y)
  }
}
