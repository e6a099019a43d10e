import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of MediaPipe's operators")
struct CustomRefusalTests {
  private static func structure(_ fields: [Int32]) -> [UInt8] {
    fields.flatMap { field in withUnsafeBytes(of: field.littleEndian) { [UInt8]($0) } }
  }

  /// Returns a probe whose fields are padding, stride width, and stride height.
  private static func transposed(
    _ input: [Int] = [1, 2, 3, 2], _ filter: [Int] = [3, 2, 2, 2], bias: [Int]? = nil, fields: [Int32] = [1, 1, 1],
    bytes: Int? = nil
  ) -> Probe {
    let options = structure(fields)
    return Probe(
      custom: "Convolution2DTransposeBias",
      [.floats(input), .zeros(.float32, filter), .optional(bias)], [.floats()],
      bytes.map { Array(options.prefix($0)) } ?? options)
  }

  private static let most = Int32(Int16.max)
  private static let transposedCases: [Refusal] = [
    Refusal("takes options of at least 12 bytes, got 11", transposed(bytes: 11), but: transposed(bytes: 12)),
    Refusal(
      "has padding 0; it must be 1 (same) or 2 (valid)", transposed(fields: [0, 1, 1]),
      but: transposed(fields: [1, 1, 1])),
    Refusal("has padding 3", transposed(fields: [3, 1, 1]), but: transposed(fields: [2, 1, 1])),
    Refusal("has strides of 0×1", transposed(fields: [1, 1, 0])),
    Refusal("has strides of 1×0", transposed(fields: [1, 0, 1])),
    Refusal(
      "has strides of 32768×1", transposed([0, 2, 3, 2], [1, 1, 1, 2], fields: [2, 1, most + 1]),
      but: transposed([0, 2, 3, 2], [1, 1, 1, 2], fields: [2, 1, most])),
    Refusal(
      "has strides of 1×32768", transposed([0, 2, 3, 2], [1, 1, 1, 2], fields: [2, most + 1, 1]),
      but: transposed([0, 2, 3, 2], [1, 1, 1, 2], fields: [2, most, 1])),
    Refusal("of rank 4 with the same channels", transposed([2, 3, 2])),
    Refusal("of rank 4 with the same channels", transposed([1, 2, 3, 2], [3, 2, 2])),
    Refusal("of rank 4 with the same channels", transposed([1, 2, 3, 3])),
    Refusal("without empty dimensions", transposed([1, 0, 3, 2]), but: transposed([0, 2, 3, 2])),
    Refusal("takes a bias of 3 elements", transposed(bias: [2]), but: transposed(bias: [3])),
  ]

  /// Returns a probe whose fields are padding, stride width and height, window width and height, and activation.
  private static func pool(_ fields: [Int32], _ input: [Int] = [1, 4, 4, 1]) -> Probe {
    Probe(
      custom: "MaxPoolingWithArgmax2D", [.floats(input)], [.floats(), .floats()], structure(fields))
  }

  private static func unpool(_ input: [Int], _ positions: [Int]) -> Probe {
    Probe(
      custom: "MaxUnpooling2D", [.floats(input), .floats(positions)], [.floats()], structure([1, 2, 2, 2, 2, 0]))
  }

  private static let words = "all must be positive and fit 16 bits"
  private static let pools: [Refusal] = [
    Refusal("takes options of at least 20 bytes, got 16", pool([1, 2, 2, 2]), but: pool([1, 2, 2, 2, 2])),
    Refusal("has padding 0", pool([0, 2, 2, 2, 2, 0])),
    Refusal("has padding 3", pool([3, 2, 2, 2, 2, 0]), but: pool([2, 2, 2, 2, 2, 0])),
    Refusal(words, pool([1, 0, 2, 2, 2, 0])),
    Refusal(words, pool([1, 2, 0, 2, 2, 0])),
    Refusal(words, pool([1, 2, 2, 0, 2, 0])),
    Refusal(words, pool([1, 2, 2, 2, 0, 0])),
    Refusal(words, pool([1, most + 1, 2, 2, 2, 0]), but: pool([1, most, 2, 2, 2, 0])),
    Refusal(words, pool([1, 2, most + 1, 2, 2, 0]), but: pool([1, 2, most, 2, 2, 0])),
    Refusal("has strides of 3×2 and a window of 32768×5", pool([1, 2, 3, 5, most + 1, 0])),
    Refusal(
      "has activation 4, which the operator does not take", pool([1, 2, 2, 2, 2, 4]), but: pool([1, 2, 2, 2, 2, 3])),
    Refusal("has activation 9", pool([1, 2, 2, 2, 2, 9]), but: pool([1, 2, 2, 2, 2, 2])),
    Refusal("has activation -1", pool([1, 2, 2, 2, 2, -1]), but: pool([1, 2, 2, 2, 2, 1])),
    Refusal("requires an input of rank 4", pool([1, 2, 2, 2, 2, 0], [4, 4, 1])),
    Refusal(
      "of one shape of rank 4", unpool([1, 2, 2, 1], [1, 2, 1, 2]), but: unpool([1, 2, 2, 1], [1, 2, 2, 1])),
    Refusal("of one shape of rank 4", unpool([2, 2, 1], [2, 2, 1])),
  ]

  private static func resample(_ images: [Int], _ places: [Int]) -> Probe {
    Probe(custom: "Resampler", [.floats(images), .floats(places)], [.floats()])
  }

  private static func look(
    image: [Int] = [1, 3, 4, 2], matrix: [Int] = [1, 4, 4], _ options: [String: FlexMap.Value], version: Int = 2
  ) -> Probe {
    Probe(
      custom: "TransformTensorBilinear", [.floats(image), .floats(matrix)], [.floats()], FlexMap.bytes(options),
      version: version)
  }

  private static func size(_ height: Int32, _ width: Int32) -> [String: FlexMap.Value] {
    ["output_height": .int(height), "output_width": .int(width)]
  }

  private static func move(
    _ points: [Int], matrix: [Int] = [1, 4, 4], _ options: [String: FlexMap.Value] = [:], version: Int = 2
  ) -> Probe {
    Probe(
      custom: "TransformLandmarks", [.floats(points), .floats(matrix)], [.floats()],
      options.isEmpty ? [] : FlexMap.bytes(options), version: version)
  }

  private static func scaled(_ dimensions: Int32, _ scale: Float = 1) -> [String: FlexMap.Value] {
    ["dimensions": .int(dimensions), "scale": .float(scale)]
  }

  private static let images: [Refusal] = [
    Refusal("takes images of rank 4", resample([2, 3, 1], [2, 3, 2])),
    Refusal(
      "takes places of the shape [1×2×3×2]", resample([1, 2, 3, 1], [1, 2, 3, 3]),
      but: resample([1, 2, 3, 1], [1, 2, 3, 2])),
    Refusal("takes places of the shape [2×2×3×2]", resample([2, 2, 3, 5], [1, 2, 3, 2])),
    Refusal("makes images of 0×2 pixels", look(size(0, 2)), but: look(size(1, 2))),
    Refusal("makes images of 2×-1 pixels", look(size(2, -1)), but: look(size(2, 1))),
    Refusal(
      "makes images of 0×0 pixels", look(["output_size": .ints([2])], version: 1),
      but: look(["output_size": .ints([2, 3])], version: 1)),
    Refusal("makes images of 0×0 pixels", look(["output_size": .ints([2, 3, 1])], version: 1)),
    Refusal("takes one image that is not empty", look(image: [2, 3, 4, 2], size(1, 1))),
    Refusal(
      "takes one image that is not empty", look(image: [1, 0, 4, 2], size(1, 1)),
      but: look(image: [1, 1, 4, 2], size(1, 1))),
    Refusal(
      "takes one image that is not empty", look(image: [1, 3, 0, 2], size(1, 1)),
      but: look(image: [1, 3, 1, 2], size(1, 1))),
    Refusal("takes one image that is not empty", look(image: [3, 4, 2], size(1, 1))),
    Refusal("takes a matrix of 16 elements", look(matrix: [1, 3, 4], size(1, 1)), but: look(matrix: [16], size(1, 1))),
    Refusal("takes a matrix of 16 elements", move([1, 5, 2], matrix: [1, 3, 4]), but: move([1, 5, 2], matrix: [16])),
    Refusal("takes points of 2 or 3 numbers", move([1, 5, 1]), but: move([1, 5, 2])),
    Refusal("takes points of 2 or 3 numbers", move([1, 5, 4]), but: move([1, 5, 3])),
    Refusal("takes points of 2 or 3 numbers", move([5, 3])),
    Refusal(
      "takes points of 2 or 3 numbers", move([1, 5, 3], scaled(3), version: 1),
      but: move([1, 5, 1, 3], scaled(3), version: 1)),
    Refusal("with 3", move([1, 1, 1, 10], scaled(3), version: 1), but: move([1, 1, 1, 9], scaled(3), version: 1)),
    Refusal("with 1", move([1, 1, 1, 8], scaled(1), version: 1), but: move([1, 1, 1, 8], scaled(2), version: 1)),
    Refusal("with 4", move([1, 1, 1, 8], scaled(4), version: 1)),
    Refusal(
      "has scale 0.0, it must not be 0", move([1, 1, 1, 9], scaled(3, 0), version: 1),
      but: move([1, 1, 1, 9], scaled(3, -1), version: 1)),
    Refusal("has scale inf", move([1, 1, 1, 9], scaled(3, .infinity), version: 1)),
  ]

  private static let corner: [String: FlexMap.Value] = [
    "left_rotation_idx": .int(0), "right_rotation_idx": .int(2), "subset_idxs": .ints([1, 3]),
    "target_rotation_radians": .float(0.5), "output_height": .float(4), "output_width": .float(5),
    "scale_x": .float(1.5), "scale_y": .float(2),
  ]

  private static let centered: [String: FlexMap.Value] = [
    "left_rotation_idx": .int(0), "right_rotation_idx": .int(2), "subset": .ints([1, 3]), "input_hw": .ints([8, 9]),
    "output_hw": .ints([4, 5]), "landmarks_range": .float(10), "bbox_size_multiplier": .float(1.5),
    "dimensions": .int(3),
  ]

  private static func crop(_ key: String, _ value: FlexMap.Value, _ points: Int = 4) -> Probe {
    let base = corner[key] == nil ? centered : corner
    return cropped(base.merging([key: value]) { $1 }, points)
  }

  private static func cropped(_ options: [String: FlexMap.Value], _ points: Int = 4, shape: [Int]? = nil) -> Probe {
    let isCentered = options["subset"] != nil
    return Probe(
      custom: "Landmarks2TransformMatrix", [.floats(shape ?? (isCentered ? [1, points, 1, 3] : [1, points, 3]))],
      [.floats()], FlexMap.bytes(options), version: isCentered ? 1 : 2)
  }

  private static let crops: [Refusal] = [
    Refusal("takes rank 3 and at least 4 points", cropped(corner, 3), but: cropped(corner, 4)),
    Refusal("takes rank 3", cropped(corner, shape: [1, 4, 1, 3])),
    Refusal("takes rank 4 and at least 4 points", cropped(centered, 3), but: cropped(centered, 4)),
    Refusal("takes rank 4", cropped(centered, shape: [1, 4, 3])),
    Refusal("at least 6 points", crop("right_rotation_idx", .int(5)), but: crop("right_rotation_idx", .int(3))),
    Refusal("at least 5 points", crop("left_rotation_idx", .int(4))),
    Refusal("there must be some, and none negative", crop("subset_idxs", .ints([]))),
    Refusal("none negative", crop("subset_idxs", .ints([1, -1])), but: crop("subset_idxs", .ints([0]))),
    Refusal("names points -1, 2", crop("left_rotation_idx", .int(-1))),
    Refusal("names points 0, -2", crop("right_rotation_idx", .int(-2))),
    Refusal("all must be positive", crop("output_height", .float(0)), but: crop("output_height", .float(0.5))),
    Refusal("all must be positive", crop("output_width", .float(-1))),
    Refusal("all must be positive", crop("scale_x", .float(0))),
    Refusal("scaled by 1.5 and inf", crop("scale_y", .float(.infinity))),
    Refusal(
      "all must be positive", crop("target_rotation_radians", .float(.nan)),
      but: crop("target_rotation_radians", .float(-4))),
    Refusal("option input_hw must hold a positive height and width", crop("input_hw", .ints([8]))),
    Refusal("option input_hw", crop("input_hw", .ints([8, 0])), but: crop("input_hw", .ints([8, 1]))),
    Refusal("option output_hw", crop("output_hw", .ints([0, 5])), but: crop("output_hw", .ints([2, 2]))),
    Refusal("takes points of 3 numbers", crop("dimensions", .int(2))),
    Refusal("a positive range", crop("landmarks_range", .float(0)), but: crop("landmarks_range", .float(0.1))),
    Refusal("a positive range", crop("landmarks_range", .float(.infinity))),
    Refusal(
      "a size factor that is not 0", crop("bbox_size_multiplier", .float(0)),
      but: crop("bbox_size_multiplier", .float(-1))),
    Refusal("a size factor that is not 0", crop("bbox_size_multiplier", .float(.nan))),
  ]

  @Test("an invalid transposed convolution", arguments: transposedCases)
  func refusesTransposed(refusal: Refusal) { refusal.check() }

  @Test("windows, strides, and activations that pooling doesn't support", arguments: pools)
  func refusesPools(refusal: Refusal) { refusal.check() }

  @Test("inconsistent images, landmarks, and matrices", arguments: images)
  func refusesImages(refusal: Refusal) { refusal.check() }

  @Test("crops around missing landmarks", arguments: crops)
  func refusesCrops(refusal: Refusal) { refusal.check() }
}
