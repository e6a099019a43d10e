import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func run(
  _ name: String, version: Int, _ inputs: [([Float], [Int])], options: [String: FlexMap.Value] = [:]
) throws -> Tensor {
  var graph = TestGraph()
  let tensors = inputs.map { graph.input(.float32, $0.1) }
  graph.add(
    custom: name, tensors, [graph.output(.float32, [])], options: options.isEmpty ? [] : FlexMap.bytes(options),
    version: version)
  return try graph.session().run(inputs.map { try Tensor($0.0, shape: Shape($0.1)) })[0]
}

private func isClose(_ values: [Float], _ expected: [Float], within tolerance: Float = 1e-4) -> Bool {
  values.count == expected.count && zip(values, expected).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
}

/// A matrix that rotates, scales, and shifts the plane.
private let matrix: [Float] = [0.9, 0.3, 0, 0.2, -0.2, 1.1, 0, 0.4, 0, 0, 1, 0, 0, 0, 0, 1]

@Suite("TransformTensorBilinear and Resampler")
struct BilinearTests {
  private let image = (0..<12).map { Float($0) }

  // Expected values: the operator's formula in double precision.
  @Test(
    "samples an image with a matrix",
    arguments: [
      (2, [1.7, 1.8, 0, 0, 6.4, 6.5, 6.6, 0, 0, 0, 0, 0]), (1, [1.8, 1.9, 2, 0, 6.5, 6.6, 6.7, 0, 0, 0, 0, 0]),
    ] as [(Int, [Float])])
  func transforms(version: Int, expected: [Float]) throws {
    let options: [String: FlexMap.Value] =
      version == 2 ? ["output_height": .int(3), "output_width": .int(4)] : ["output_size": .ints([3, 4])]
    let result = try run(
      "TransformTensorBilinear", version: version, [(image, [1, 3, 4, 1]), (matrix, [1, 4, 4])], options: options)
    #expect(result.shape == [1, 3, 4, 1])
    #expect(isClose(try result.values(), expected))
  }

  @Test("returns the image for the identity matrix, channel by channel")
  func keepsImage() throws {
    let identity: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    let result = try run(
      "TransformTensorBilinear", version: 2, [(image, [1, 2, 3, 2]), (identity, [1, 4, 4])],
      options: ["output_height": .int(2), "output_width": .int(3)])
    #expect(try result.values() == image)
  }

  @Test("returns zeros for NaN positions", arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func survivesAnyMatrix(value: Float) throws {
    let result = try run(
      "TransformTensorBilinear", version: 2,
      [(image, [1, 3, 4, 1]), ([Float](repeating: value, count: 16), [1, 4, 4])],
      options: ["output_height": .int(1), "output_width": .int(2)])
    #expect(try result.values() == [Float(0), 0])
    let places = [Float](repeating: value, count: 24)
    #expect(
      try run("Resampler", version: 1, [(image, [1, 3, 4, 1]), (places, [1, 3, 4, 2])]).values()
        == [Float](repeating: 0, count: 12))
  }

  @Test("reads every pixel at its coordinates, and blends with zeros around the image")
  func resamples() throws {
    let places: [Float] = [0, 0, 1, 1, 0.5, 0, 0, 0.25, -0.5, 0, 1.5, 1, -1, 0, 0, 2]
    let result = try run(
      "Resampler", version: 1, [([1, 2, 3, 4, 10, 20, 30, 40], [2, 2, 2, 1]), (places, [2, 2, 2, 2])])
    #expect(isClose(try result.values(), [1, 4, 1.5, 1.5, 5, 20, 0, 0]))
  }

  @Test(
    "reject missing and nonpositive sizes",
    arguments: [
      [:], ["output_height": FlexMap.Value.int(3)], ["output_height": .int(0), "output_width": .int(3)],
      ["output_height": .int(-2), "output_width": .int(3)],
    ] as [[String: FlexMap.Value]])
  func refusesSizes(options: [String: FlexMap.Value]) {
    #expect(throws: RuntimeError.self) {
      try run(
        "TransformTensorBilinear", version: 2, [(image, [1, 3, 4, 1]), (matrix, [1, 4, 4])], options: options)
    }
  }

  @Test("reject several images, and matrices and coordinates of another size")
  func refusesShapes() {
    let options: [String: FlexMap.Value] = ["output_height": .int(1), "output_width": .int(1)]
    #expect(throws: RuntimeError.self) {
      try run(
        "TransformTensorBilinear", version: 2, [(image, [2, 3, 2, 1]), (matrix, [1, 4, 4])], options: options)
    }
    #expect(throws: RuntimeError.self) {
      try run("TransformTensorBilinear", version: 2, [(image, [1, 3, 4, 1]), ([1, 2], [2])], options: options)
    }
    #expect(throws: RuntimeError.self) {
      try run("Resampler", version: 1, [(image, [1, 3, 4, 1]), (matrix, [1, 4, 2, 2])])
    }
  }
}

@Suite("TransformLandmarks")
struct TransformLandmarksTests {
  @Test("transforms the first two coordinates of every landmark")
  func moves() throws {
    let points: [Float] = [1, 2, 7, 10, 20, 8]
    let result = try run("TransformLandmarks", version: 2, [(points, [1, 2, 3]), (matrix, [1, 4, 4])])
    #expect(isClose(try result.values(), [1.7, 2.4, 7, 15.2, 20.4, 8]))
    let flat = try run("TransformLandmarks", version: 2, [([1, 2, 10, 20], [1, 2, 2]), (matrix, [1, 4, 4])])
    #expect(isClose(try flat.values(), [1.7, 2.4, 15.2, 20.4]))
  }

  @Test("scales the shift in version 1")
  func scales() throws {
    let result = try run(
      "TransformLandmarks", version: 1, [([1, 2, 10, 20], [1, 1, 1, 4]), (matrix, [1, 4, 4])],
      options: ["dimensions": .int(2), "scale": .float(10)])
    #expect(isClose(try result.values(), [3.5, 6, 17, 24]))
  }

  @Test("rejects landmarks with one or four coordinates, and a scale of 0")
  func refuses() {
    for count in [1, 4] {
      #expect(throws: RuntimeError.self) {
        try run(
          "TransformLandmarks", version: 2,
          [([Float](repeating: 1, count: count), [1, 1, count]), (matrix, [1, 4, 4])])
      }
    }
    #expect(throws: RuntimeError.self) {
      try run(
        "TransformLandmarks", version: 1, [([1, 2], [1, 1, 1, 2]), (matrix, [1, 4, 4])],
        options: ["dimensions": .int(2), "scale": .float(0)])
    }
  }
}

@Suite("Landmarks2TransformMatrix")
struct LandmarksToTransformMatrixTests {
  private let points: [Float] = [
    80.5, 80.8, 51.5, 28.6, 5.4, 38.3, 40.8, 4.5, 4.9, 99.9, 65.2, 23.5, 43.5, 97.4, 89.8, 84.4, 39.2, 49.3,
  ]
  private let corner: [String: FlexMap.Value] = [
    "subset_idxs": .ints([0, 2, 3, 5, 5]), "left_rotation_idx": .int(1), "right_rotation_idx": .int(4),
    "target_rotation_radians": .float(0.3), "output_height": .int(8), "output_width": .int(16), "scale_x": .float(1.5),
    "scale_y": .float(1.25),
  ]
  private let centered: [String: FlexMap.Value] = [
    "subset": .ints([0, 2, 3, 5]), "left_rotation_idx": .int(1), "right_rotation_idx": .int(4),
    "input_hw": .ints([64, 48]),
    "output_hw": .ints([8, 16]), "dimensions": .int(3), "landmarks_range": .int(96),
    "bbox_size_multiplier": .float(1.2),
  ]

  // Expected values: the operator's matrices multiplied in double precision.
  @Test("computes the matrix of version 2")
  func makesCornerMatrix() throws {
    let result = try run("Landmarks2TransformMatrix", version: 2, [(points, [1, 6, 3])], options: corner)
    #expect(result.shape == [1, 4, 4])
    #expect(
      isClose(
        try result.values(),
        [
          3.58316, -3.63412, 0, 57.41055, 7.22195, 1.80307, 0, -27.7406, 0, 0, 1, 0, 0, 0, 0, 1,
        ]))
  }

  @Test("computes the matrix of version 1")
  func makesCenteredMatrix() throws {
    let result = try run("Landmarks2TransformMatrix", version: 1, [(points, [1, 1, 1, 18])], options: centered)
    #expect(
      isClose(
        try result.values(),
        [
          0.51137, -4.02941, 0, 45.19115, 4.2323, 0.87475, 0, -7.9502, 0, 0, 1, 0, 0, 0, 0, 1,
        ]))
  }

  @Test(
    "rejects missing landmarks",
    arguments: [
      ("left_rotation_idx", FlexMap.Value.int(6)), ("right_rotation_idx", .int(-1)), ("subset_idxs", .ints([0, 6])),
      ("subset_idxs", .ints([])), ("subset_idxs", .ints([.max])), ("output_height", .int(0)), ("scale_x", .float(0)),
      ("scale_y", .float(.nan)), ("target_rotation_radians", .float(.infinity)),
    ])
  func refusesOptions(key: String, value: FlexMap.Value) {
    var options = corner
    options[key] = value
    #expect(throws: RuntimeError.self) {
      try run("Landmarks2TransformMatrix", version: 2, [(points, [1, 6, 3])], options: options)
    }
  }

  @Test(
    "rejects invalid options of version 1",
    arguments: [
      ("input_hw", FlexMap.Value.ints([64])), ("output_hw", .ints([0, 4])), ("dimensions", .int(2)),
      ("landmarks_range", .int(0)), ("bbox_size_multiplier", .float(0)), ("subset", .ints([9])),
    ])
  func refusesCenteredOptions(key: String, value: FlexMap.Value) {
    var options = centered
    options[key] = value
    #expect(throws: RuntimeError.self) {
      try run("Landmarks2TransformMatrix", version: 1, [(points, [1, 1, 1, 18])], options: options)
    }
  }
}
