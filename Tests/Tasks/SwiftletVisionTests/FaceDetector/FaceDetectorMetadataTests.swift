import Foundation
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face detectors with and without metadata")
struct FaceDetectorMetadataTests {
  /// The custom metadata of a detector, with all numbers distinct.
  private struct Metadata {
    var strides: [Int32] = [2]
    var ratios: [Float] = [1]
    var interpolated: Float = 0
    var isFixed = true
    /// The offsets of the anchors in their cells.
    var offsets: [Float] = [0.25, 0.75]
    var boxCount: Int32 = 2
    /// The offsets of the box and of the keypoint.
    var numberOffsets: [Int32] = [1, 5]
    /// The scales of x, y, width, and height.
    var scales: [Float] = [2, 4, 8, 16]
    var clip: Float = 100
    var (isReversed, isSigmoid) = (true, false)
    var (hasLayout, hasDecoding) = (true, true)

    var root: [Int: FlatValue] {
      var root: [Int: FlatValue] = [:]
      if hasLayout {
        root[1] = .table([
          0: .int(1), 2: .float(0.25), 3: .float(0.75), 4: .float(offsets[0]), 5: .float(offsets[1]),
          6: .ints(strides), 7: .floats(ratios), 8: .bool(isFixed), 9: .float(interpolated),
        ])
      }
      if hasDecoding {
        root[2] = .table([
          0: .int(1), 1: .int(boxCount), 2: .int(7), 3: .int(numberOffsets[0]), 4: .int(numberOffsets[1]), 5: .int(1),
          6: .int(2), 7: .float(scales[0]), 8: .float(scales[1]), 9: .float(scales[2]), 10: .float(scales[3]),
          11: .float(clip), 12: .bool(isReversed), 13: .bool(isSigmoid),
        ])
      }
      return root
    }
  }

  /// The values of each box: an unused number, x, y, width, height, and the keypoint.
  private static let boxes: [Float] = [99, 0.5, 1, 4, 8, 1, -1, 99, 0, 0, 2, 4, 0, 0]

  /// Returns a model with an input of 4 × 2 pixels and two cells side by side.
  private func model(_ metadata: Metadata, scores: [Float] = [0.75, 0.5]) -> GivingModel {
    var model = GivingModel([(Self.boxes, [1, 2, 7]), (scores, [1, 2, 1])])
    (model.width, model.height) = (4, 2)
    model.custom = ("FACE_DETECTOR_METADATA", metadata.root)
    return model
  }

  private func detect(
    _ model: GivingModel, _ change: (inout FaceDetectorOptions) -> Void = { _ in }
  ) throws -> [FaceDetection] {
    var options = FaceDetectorOptions(baseOptions: model.base)
    change(&options)
    return try FaceDetector(options: options).faces(in: GivingModel.image())
  }

  @Test("metadata describes the anchors and the decoding of values")
  func decoding() throws {
    let found = try detect(model(Metadata()))
    try #require(found.count == 2)
    // Anchors at (0.25/2, 0.75) and (1.25/2, 0.75); the center is offset by (0.5/2, 1/4), and the size is (4/8, 8/16).
    #expect(found[0].box == PixelRect(x: 32, y: 96, width: 128, height: 64))
    #expect(found[0].keypoints == [NormalizedPoint(x: 0.625, y: 0.5)])
    #expect(found[1].box == PixelRect(x: 128, y: 80, width: 64, height: 32))
    #expect(found.map(\.score) == [0.75, 0.5])
  }

  @Test("without reversed order, y and height come first")
  func order() throws {
    var metadata = Metadata()
    metadata.isReversed = false
    let found = try detect(model(metadata))
    // The center is offset by (1/2, 0.5/4), and the size is (8/8, 4/16).
    #expect(found.first?.box == PixelRect(x: 32, y: 96, width: 256, height: 32))
    #expect(found.first?.keypoints == [NormalizedPoint(x: -0.375, y: 1)])
  }

  @Test("anchors of several sizes and clipped logits are supported")
  func sizes() throws {
    var metadata = Metadata()
    (metadata.isFixed, metadata.strides) = (false, [4])
    (metadata.ratios, metadata.interpolated) = ([1], 1)
    metadata.offsets = [0.5, 0.5]
    (metadata.isSigmoid, metadata.clip) = (true, 1)
    let found = try detect(model(metadata, scores: [9, -9])) {
      ($0.minDetectionConfidence, $0.minSuppressionThreshold) = (0.25, 0.99)
    }
    // One cell, with scales of 0.5 and √0.5.
    #expect(found.map { $0.box.width } == [64, 45])
    #expect(found.map { ($0.score * 1e4).rounded() } == [7311, 2689])
  }

  @Test("thresholds come from the options, and a score at the minimum confidence passes")
  func thresholds() throws {
    let model = model(Metadata())
    #expect(try detect(model) { $0.minDetectionConfidence = 0.5 }.count == 2)
    #expect(try detect(model) { $0.minDetectionConfidence = Float(0.5).nextUp }.count == 1)
    var metadata = Metadata()
    // At the same position: boxes that share a quarter of the larger one.
    metadata.offsets = [0.5, 0.75]
    (metadata.strides, metadata.isFixed, metadata.interpolated) = ([4], true, 1)
    var same = self.model(metadata)
    same.outputs[0].values = [99, 0, 0, 4, 8, 0, 0, 99, 0, 0, 2, 4, 0, 0]
    #expect(try detect(same) { $0.minSuppressionThreshold = 0.24 }.count == 1)
    #expect(try detect(same) { $0.minSuppressionThreshold = 0.25 }.count == 2)
  }

  private func error(_ metadata: Metadata) -> TaskError? { thrownError { try detect(model(metadata)) } }

  @Test("metadata that contradicts itself or the outputs is rejected")
  func refusals() {
    var metadata = Metadata()
    metadata.boxCount = 3
    let count = error(metadata)
    #expect(count?.code == .invalidModel)
    #expect(count?.message == "the model's metadata announces 3 boxes, but its anchor layout has 2")
    metadata = Metadata()
    metadata.numberOffsets[1] = 6
    #expect(error(metadata)?.message.contains("are inconsistent with 7 numbers per box") == true)
    metadata = Metadata()
    metadata.scales[3] = 0
    #expect(error(metadata)?.message.contains("a scale of 0") == true)
    metadata = Metadata()
    (metadata.boxCount, metadata.ratios) = (4, [1, 1])
    #expect(
      error(metadata)?.message.contains("not a face detection model of a known form: expected outputs [1 × 4 × 7]")
        == true)
    metadata = Metadata()
    metadata.strides = [0]
    #expect(error(metadata)?.code == .invalidModel)
  }

  @Test("incomplete metadata is ignored, and the model must be a published one")
  func incomplete() {
    for (hasLayout, hasDecoding) in [(true, false), (false, true), (false, false)] {
      var metadata = Metadata()
      (metadata.hasLayout, metadata.hasDecoding) = (hasLayout, hasDecoding)
      #expect(error(metadata)?.message.contains("expected outputs [1 × 0 × 16]") == false)
      #expect(error(metadata)?.message.contains("× 16] and [1 ×") == true)
    }
  }

  // MARK: Published models

  /// Returns the faces of a detector that reads raw numbers from the image, which has the size of its input.
  private func published(side: Int, boxCount: Int, box: Int) throws -> [FaceDetection] {
    var bytes = [UInt8](repeating: 0, count: side * side * 3)
    for (offset, value) in [8, 4, 32, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].enumerated() {
      bytes[16 * box + offset] = UInt8(value)
    }
    bytes[16 * boxCount + box] = 1
    let model = SyntheticFaceModel.detector(side: side, boxCount: boxCount, valuesPerBox: 16)
    let options = FaceDetectorOptions(
      baseOptions: BaseOptions(
        model: .bytes(model), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1])),
      minDetectionConfidence: 0.6)
    return try FaceDetector(options: options).faces(in: InputImage(rgb: bytes, width: side, height: side))
  }

  @Test(
    "models without metadata are identified by their input size",
    arguments: [
      // The second anchor of the second cell, and the last of the coarse grid.
      (128, 896, 3, 12, 4), (128, 896, 895, 120, 120), (192, 2304, 53, 22, 6),
    ])
  func published(side: Int, boxCount: Int, box index: Int, x: Int, y: Int) throws {
    let found = try published(side: side, boxCount: boxCount, box: index)
    try #require(found.count == 1)
    // Offset by (8, 4) pixels, and 32 × 16 pixels large: clipped at the edges of the image.
    let (left, top) = (x + 8 - 16, y + 4 - 8)
    // Sides in units of 1/192 aren't exact: they can be just below a pixel's edge.
    let box = found[0].box
    for (value, expected) in [
      (box.x, max(left, 0)), (box.y, max(top, 0)), (box.width, 32), (box.height, 16),
    ] as [(Double, Int)] { #expect(abs(value - Double(expected)) <= (side == 128 ? 0 : 1)) }
    let keypoints = found[0].keypoints
    #expect(keypoints.count == 6)
    for (index, keypoint) in keypoints.enumerated() {
      #expect(abs(Double(keypoint.x) * Double(side) - Double(x + 2 * index + 1)) < 1e-4)
      #expect(abs(Double(keypoint.y) * Double(side) - Double(y + 2 * index + 2)) < 1e-4)
    }
    #expect(abs(found[0].score - 0.731_058_6) < 1e-6)
  }

  @Test("models without metadata take pixels in -1...1, letterboxed on black")
  func normalization() throws {
    // The entire image is white, so that all numbers are 1 inside and -1 outside.
    let options = FaceDetectorOptions(
      baseOptions: BaseOptions(model: .bytes(SyntheticFaceModel.bytes)), minDetectionConfidence: 0.7)
    let white = try InputImage(rgb: [UInt8](repeating: 255, count: 128 * 64 * 3), width: 128, height: 64)
    let found = try FaceDetector(options: options).faces(in: white)
    #expect(found.allSatisfy { abs($0.score - 0.731_058_6) < 1e-6 })
    // The scores of the boxes are numbers 14336...15231, in rows 37.3...39.7 of 128, which the image covers.
    #expect(!found.isEmpty)
    let high = try InputImage(rgb: [UInt8](repeating: 255, count: 32 * 128 * 3), width: 32, height: 128)
    let few = try FaceDetector(options: options).faces(in: high)
    // With an image a quarter as wide, three quarters of each row are black.
    #expect(few.count < 896 / 2)
  }
}
