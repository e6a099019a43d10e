import Foundation
import SwiftletImage

/// *Look*: a model of a chain that sees one region of the picture, upright and stretched to its input, and gives points
/// and numbers.
///
/// One caller at a time.
final class RegionModel {
  /// What a model's output has to hold.
  struct Output: Sendable, Hashable {
    /// Its name in messages.
    var name: String
    var count: Int
  }

  private let model: VisionModel
  private var projection = ImageProjection.identity
  private var rotation: Float = 0

  /// - Parameters:
  ///   - base: the model, such as a member of a bundle, and how it is run.
  ///   - outputs: what the outputs are, by position; the model may have more.
  /// - Throws: `TaskError` when the model is missing or its outputs are others.
  init(_ base: BaseOptions, outputs: [Output]) throws(TaskError) {
    model = try TaskError.wrapping { try VisionModel(base, input: .stretched) }
    let found = model.outputs.map(\.description).joined(separator: ", ")
    for (index, output) in outputs.enumerated() {
      guard model.outputs.indices.contains(index), model.outputs[index].shape.elementCount == output.count else {
        throw .invalidModel(
          "the model \(base.model) must have \(output.count) numbers (\(output.name)) in output \(index), but its outputs are \(found)"
        )
      }
    }
  }

  /// Runs the model on a region of the stored picture. The outputs describe this region until the next call.
  ///
  /// - Parameter region: in coordinates of the stored picture. Its rotation alone says which way is up: it is computed
  ///   from points of the stored picture, so it includes the picture's orientation.
  /// - Throws: `TaskError` for regions that ``RegionGeometry/isUsable(_:)`` refuses, and when the model cannot
  ///   run.
  func look(at region: NormalizedRect, in image: MPImage) throws {
    projection = try model.run(MPImage(image.buffer), regionOfInterest: region)
    rotation = region.rotation
  }

  /// The number of an output that has one.
  func value(_ output: Int) throws -> Float { try model.withRealOutput(output) { $0.first ?? 0 } }

  /// The points of an output, in the stored picture.
  ///
  /// - Parameter depthScale: what depths are divided by besides the input's width.
  /// - Throws: `TaskError` when there are no triples of numbers in pixels of the input.
  func landmarks(_ output: Int, depthScale: Float = 1) throws -> [NormalizedLandmark] {
    let (width, height) = (Float(model.inputWidth), Float(model.inputHeight))
    return try triples(output).map { x, y, z in
      let point = projection(NormalizedPoint(x: x / width, y: y / height))
      return NormalizedLandmark(x: point.x, y: point.y, z: z / (width * depthScale) * projection.zScale)
    }
  }

  /// The points of an output in metres, turned as they are in the stored picture.
  ///
  /// - Throws: `TaskError` when there are no triples of numbers.
  func worldLandmarks(_ output: Int) throws -> [Landmark] {
    let map = ImageProjection(turning: rotation)
    return try triples(output).map { x, y, z in
      let point = map(NormalizedPoint(x: x, y: y))
      return Landmark(x: point.x, y: point.y, z: z)
    }
  }

  private func triples(_ output: Int) throws -> [(Float, Float, Float)] {
    try model.withRealOutput(output) { values in
      guard values.count.isMultiple(of: 3) else {
        throw TaskError.invalidModel("output \(output) has \(values.count) numbers, which are no points of three")
      }
      return stride(from: 0, to: values.count, by: 3).map { (values[$0], values[$0 + 1], values[$0 + 2]) }
    }
  }
}

extension ImageProjection {
  /// Turns points clockwise about the origin.
  fileprivate init(turning angle: Float) {
    self.init(xx: cos(angle), xy: -sin(angle), x0: 0, yx: sin(angle), yy: cos(angle), y0: 0)
  }
}

extension BaseOptions {
  /// The same options for a model of this name in the bundle that they name.
  func member(_ name: String) -> BaseOptions {
    var options = self
    options.model = model.member(name)
    return options
  }
}
