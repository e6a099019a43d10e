import SwiftletImage
import SwiftletSchema
package import SwiftletTestSupport
package import SwiftletVision

/// A face landmarker bundle with synthetic models: the detector reads faces from the image, and the landmark model
/// returns the same points for every region.
package struct SyntheticFaceBundle {
  /// The points relative to the region.
  package var points: [(x: Float, y: Float, z: Float)] = Self.grid
  package var presence: Float
  /// A model that replaces the one of ``points`` and ``presence``.
  package var landmarkModel: [UInt8]?
  package var blendshapeModel: [UInt8]?
  package var metadata: [UInt8]?

  package init(
    presence: Float = 2, landmarkModel: [UInt8]? = nil, blendshapeModel: [UInt8]? = Self.blendshapes,
    metadata: [UInt8]? = SyntheticCanonicalFace().bytes
  ) {
    self.presence = presence
    self.landmarkModel = landmarkModel
    self.blendshapeModel = blendshapeModel
    self.metadata = metadata
  }

  /// Points all over the center of the region; the eyes are at the same height.
  package static let grid: [(x: Float, y: Float, z: Float)] = {
    var points = (0..<478).map { (index: Int) -> (x: Float, y: Float, z: Float) in
      let (column, row) = (Float(index % 22), Float(index / 22))
      return (0.25 + column / 44, 0.25 + row / 44, Float(index % 5) / 50)
    }
    points[33] = (0.3, 0.4, 0)
    points[263] = (0.7, 0.4, 0)
    return points
  }()

  /// A model that returns the first 52 of its inputs.
  package static let blendshapes: [UInt8] = {
    var graph = TestGraph()
    let points = graph.input(.float32, [1, 146, 2])
    let flat = graph.tensor(.float32, [292])
    graph.add(.reshape, [points, graph.constant([Int32(292)])], [flat])
    graph.add(
      .slice, [flat, graph.constant([Int32(0)]), graph.constant([Int32(52)])], [graph.output(.float32, [52])])
    return TestGraph.bytes([graph])
  }()

  /// Returns a model with an input of 2 × 2 pixels and these outputs.
  package static func landmarkModel(_ outputs: [(values: [Float], shape: [Int])]) -> [UInt8] {
    TestGraph.bytes([TestGraph.giving(outputs, forImageOf: 2, by: 2)])
  }

  /// A model that returns ``grid``, with the first pixel's value as presence.
  package static let seeing: [UInt8] = {
    var graph = TestGraph()
    let image = graph.input(.float32, [1, 2, 2, 3])
    let flat = graph.tensor(.float32, [12])
    graph.add(.reshape, [image, graph.constant([Int32(12)])], [flat])
    let one = graph.tensor(.float32, [1])
    graph.add(.slice, [flat, graph.constant([Int32(0)]), graph.constant([Int32(1)])], [one])
    let zero = graph.tensor(.float32, [1])
    graph.add(.mul, [one, graph.constant([Float(0)])], [zero], options: MulOptions.empty)
    let numbers = graph.constant(grid.flatMap { [2 * $0.x, 2 * $0.y, 2 * $0.z] })
    graph.add(.add, [numbers, zero], [graph.output(.float32, [1434])], options: AddOptions.empty)
    graph.addOutput(one)
    return TestGraph.bytes([graph])
  }()

  package var members: [RawArchive.Member] {
    let numbers = points.flatMap { [2 * $0.x, 2 * $0.y, 2 * $0.z] }
    let model = Self.landmarkModel([(numbers, [1, 1, 1, 1434]), ([presence], [1, 1, 1, 1]), ([0], [1, 1])])
    var members: [RawArchive.Member] = [
      .init("face_detector.tflite", SyntheticFaceModel.bytes),
      .init("face_landmarks_detector.tflite", landmarkModel ?? model),
    ]
    if let blendshapeModel { members.append(.init("face_blendshapes.tflite", blendshapeModel)) }
    if let metadata { members.append(.init("geometry_pipeline_metadata_landmarks.binarypb", metadata)) }
    return members
  }

  /// Empty parts of the image have a detection score of one half.
  package var options: FaceLandmarkerOptions {
    FaceLandmarkerOptions(
      baseOptions: BaseOptions(
        model: .bytes(RawArchive(members).bytes),
        inputNormalization: InputNormalization(mean: [0], standardDeviation: [1])),
      minDetectionConfidence: 0.6)
  }

  package func landmarker(_ change: (inout FaceLandmarkerOptions) -> Void = { _ in }) throws -> FaceLandmarker {
    var options = options
    change(&options)
    return try FaceLandmarker(options: options)
  }

  /// Returns an image of the size of the detector's input, with faces of 32 pixels around the centers of 8-pixel cells,
  /// best face first.
  ///
  /// - Parameter brightness: The brightness of the lower half, which the detector ignores.
  package static func image(_ cells: [(column: Int, row: Int)], brightness: UInt8 = 0) throws -> InputImage {
    var bytes = [UInt8](repeating: 0, count: 128 * 128 * 3)
    for index in bytes.count / 2..<bytes.count { bytes[index] = brightness }
    for (rank, cell) in cells.enumerated() {
      let box = 2 * (cell.row * 16 + cell.column)
      // The width and height, and the second eye to the right of the first.
      for (offset, value) in [(2, 32), (3, 32), (6, 16)] { bytes[16 * box + offset] = UInt8(value) }
      bytes[896 * 16 + box] = UInt8(10 - rank)
    }
    return try InputImage(rgb: bytes, width: 128, height: 128)
  }

  /// Returns the center of a cell, relative to the image.
  package static func middle(_ cell: Int) -> Float { (Float(cell) + 0.5) / 16 }
}
