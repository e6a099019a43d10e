import SwiftletBase
import SwiftletEngine
import SwiftletImage

/// The model of a landmark task that runs on one region of the image, upright and stretched to its input, and returns
/// landmarks and scores.
///
/// - Thread safety: one caller at a time.
final class RegionModel {
  /// The requirements on one of the model's outputs.
  struct Output: Sendable, Hashable {
    /// The possible shapes of an output.
    enum Form: Sendable, Hashable {
      /// The given number of elements in any shape.
      case numbers(Int)
      /// An image of any size with the given number of channels.
      case planes(channels: Int)
    }

    /// The name of the output in messages.
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

  /// The transformation of points from the region to the stored image. MediaPipe has two, which differ in the last
  /// bits. Depths also differ if the region is rotated and the image is not square.
  enum Placing: Sendable, Hashable {
    /// The transformation by the region alone, for squares in pixels: hands and poses. Depths are fractions of the
    /// image's width.
    case region
    /// The projection from the model's input to the image, for any region: faces. A depth is a fraction of the length
    /// of the region's upper side, measured in normalized coordinates of the image.
    case projection
  }

  private let model: VisionModel
  private let outputs: [Output]
  private let source: ModelSource
  /// The text at the end of messages about outputs.
  private let advice: String?
  /// The projection from the model's input, 0…1, to the stored image.
  private(set) var projection = ImageProjection.identity
  /// The same transformation for regions that are squares in pixels.
  private(set) var placement = RegionPlacement(.fullImage)

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - context: The model, such as a member of a bundle, and its options.
  ///   - outputs: The requirements on the outputs, by index. The model may have more outputs.
  ///   - keepsAspectRatio: Whether a region is extended to the aspect ratio of the input instead of stretched. For
  ///     squares, this changes only the last bits.
  ///   - unread: The indices of outputs that are never read. Operators that only they need are not run.
  ///   - advice: The text to add to the error if the outputs don't match, such as which models match.
  /// - Throws: `TaskError` if the model is missing or its outputs don't match.
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

  /// Checks the outputs. Shapes may depend on values, so the check is repeated after every run.
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
  /// - Parameter region: The region, in coordinates of the stored image. Its rotation alone determines the upright
  ///   direction: it is computed from points in the stored image, so it includes the image's orientation.
  /// - Throws: `TaskError` for a region that ``RegionGeometry/isUsable(_:)`` rejects, and if the model cannot run or
  ///   its outputs change their sizes.
  func look(at region: NormalizedRect, in image: InputImage) throws {
    projection = try model.run(InputImage(image.buffer), region: region)
    placement = RegionPlacement(region)
    try checkOutputs()
  }

  /// The width of the model's input in pixels.
  var inputWidth: Int { model.inputWidth }
  var inputHeight: Int { model.inputHeight }

  /// Returns the height, width, and channel count of an image output.
  func planeSize(_ output: Int) -> (height: Int, width: Int, channels: Int) {
    let shape = model.outputs[output].shape
    return (shape[1], shape[2], shape[3])
  }

  /// Calls `body` with the elements of an output.
  func withNumbers<Result>(
    _ output: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result {
    try model.withRealOutput(output, body)
  }

  /// Returns the value of a scalar output.
  func value(_ output: Int) throws -> Float { try model.withRealOutput(output) { $0.first ?? 0 } }

  /// Returns the points of an output, in the stored image.
  ///
  /// - Parameters:
  ///   - depthScale: The divisor of depths, in addition to the input's width.
  ///   - placing: The transformation of points to the image.
  /// - Throws: `TaskError` if the elements are not triples of coordinates.
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

  /// Returns the points of an output in meters, rotated as in the stored image.
  ///
  /// - Parameter count: The maximum number of points; `nil` for all.
  /// - Throws: `TaskError` if the elements are not triples of coordinates.
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
        throw TaskError.invalidModel(
          "output \(output) has \(values.count) numbers, which is not a multiple of three coordinates per landmark")
      }
      return (0..<min(count ?? .max, values.count / 3)).map { index in
        point(values[3 * index], values[3 * index + 1], values[3 * index + 2])
      }
    }
  }
}

extension ImageProjection {
  /// The length of the projected upper side of the unit square, with MediaPipe's rounding for the depths of face
  /// landmarks.
  fileprivate var upperSideLength: Float {
    let (start, end) = (self(NormalizedPoint(x: 0, y: 0)), self(NormalizedPoint(x: 1, y: 0)))
    let (x, y) = (Double(end.x - start.x), Double(end.y - start.y))
    return Float((x * x + y * y).squareRoot())
  }
}

/// The map from points in a region, 0…1 along its own axes, to the stored image, for regions that are squares in
/// pixels.
///
/// Unlike `ImageProjection`, which is exact for any region, the map doesn't depend on the image's aspect ratio.
///
/// - Source: the landmark projection of MediaPipe's hand and pose tasks, with the same order of operations, so that
///   landmarks are equal bit for bit.
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

  /// The factor from depths in region widths to depths in image widths.
  var depthScale: Float { width }

  /// Returns the position in the image of a point in the region.
  func callAsFunction(_ point: NormalizedPoint) -> NormalizedPoint {
    let way = turned(NormalizedPoint(x: point.x - 0.5, y: point.y - 0.5))
    return NormalizedPoint(x: way.x * width + center.x, y: way.y * height + center.y)
  }

  /// Returns the point, rotated about the origin by the rotation of the region.
  func turned(_ point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(x: cosine * point.x - sine * point.y, y: sine * point.x + cosine * point.y)
  }
}
