import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Custom metadata of vision tasks")
struct CustomMetadataTests {
  private func region(_ fields: [Int: FlatValue], identifier: String = "V001") -> ByteRegion {
    ByteRegion(FlatValue.file(root: fields, identifier: identifier))
  }

  private let objectDecoding: [Int: FlatValue] = [
    0: .int(90), 1: .int(2), 2: .int(8), 3: .int(4), 4: .int(2), 5: .int(2), 6: .float(1), 7: .float(2), 8: .float(3),
    9: .float(4), 10: .bool(true), 11: .bool(true),
  ]

  @Test("an object detector has anchors and a decoding")
  func objectDetector() throws {
    let anchors: FlatValue = .tables([
      [0: .float(0.25), 1: .float(0.5), 2: .float(1), 3: .float(2)], [0: .float(0.75)],
    ])
    let metadata = try ObjectDetectorMetadata(
      region([
        0: .string("1.5.0"), 1: .table([0: .table([0: anchors])]), 2: .table(objectDecoding),
      ]))
    #expect(metadata.minimumParserVersion == "1.5.0")
    #expect(metadata.anchors?.map(\.xCenter) == [0.25, 0.75])
    #expect(metadata.anchors?.map(\.height) == [2, 0])
    let decoding = try #require(metadata.tensorDecoding)
    #expect(decoding.classCount == 90)
    #expect(decoding.boxCount == 2)
    #expect(decoding.coordinateCount == 8)
    #expect(decoding.keypointOffset == 4)
    #expect([decoding.xScale, decoding.yScale, decoding.widthScale, decoding.heightScale] == [1, 2, 3, 4])
    #expect(decoding.appliesExponentialToSize)
    #expect(decoding.appliesSigmoidToScore)
    let bare = try ObjectDetectorMetadata(region([:], identifier: "XXXX"))
    #expect(bare.anchors == nil)
    #expect(bare.tensorDecoding == nil)
    #expect(try ObjectDetectorMetadata(region([1: .table([:])])).anchors == nil)
  }

  @Test("an object detector's values must be consistent")
  func objectDetectorNumbers() {
    for change in [[2: .int(9)], [4: .int(3)], [5: .int(3)], [0: .int(-1)]] as [[Int: FlatValue]] {
      let fields = objectDecoding.merging(change) { $1 }
      let error = #expect(throws: SchemaError.self) { try ObjectDetectorMetadata(region([2: .table(fields)])) }
      #expect(error?.code == .invalid)
      #expect(error?.location.hasPrefix("DETECTOR_METADATA.tensors_decoding_options") == true)
    }
  }

  @Test("a segmenter has an activation")
  func segmenter() throws {
    #expect(try SegmenterMetadata(region([:])).activation == .none)
    #expect(try SegmenterMetadata(region([0: .byte(1)])).activation == .sigmoid)
    let metadata = try SegmenterMetadata(region([0: .byte(2), 1: .string("1.0")]))
    #expect(metadata.activation == .softmax)
    #expect(metadata.minimumParserVersion == "1.0")
    let error = #expect(throws: SchemaError.self) { try SegmenterMetadata(region([0: .byte(3)])) }
    #expect(error?.code == .unsupported)
    #expect(throws: SchemaError.self) { try SegmenterMetadata(ByteRegion([1, 2, 3])) }
  }

  @Test("a face detector has an anchor layout and a decoding")
  func faceDetector() throws {
    let layout: [Int: FlatValue] = [
      0: .int(4), 1: .floats([9]), 2: .float(0.1484375), 3: .float(0.75), 4: .float(0.5), 5: .float(0.25),
      6: .ints([8, 16, 16, 16]), 7: .floats([1]), 8: .bool(true), 9: .float(1),
    ]
    let decoding: [Int: FlatValue] = [
      0: .int(1), 1: .int(896), 2: .int(16), 3: .int(0), 4: .int(4), 5: .int(6), 6: .int(2), 7: .float(128),
      8: .float(127), 9: .float(126), 10: .float(125), 11: .float(100), 12: .bool(true), 13: .bool(true),
    ]
    let metadata = try FaceDetectorMetadata(
      region([0: .string("1.0"), 1: .table(layout), 2: .table(decoding)], identifier: "FD01"))
    let anchors = try #require(metadata.anchorLayout)
    #expect(anchors.layerCount == 4)
    #expect([anchors.minimumScale, anchors.maximumScale] == [0.1484375, 0.75])
    #expect([anchors.anchorOffsetX, anchors.anchorOffsetY] == [0.5, 0.25])
    #expect(anchors.strides == [8, 16, 16, 16])
    #expect(anchors.aspectRatios == [1])
    #expect(anchors.hasFixedAnchorSize)
    #expect(anchors.interpolatedScaleAspectRatio == 1)
    let tensors = try #require(metadata.tensorDecoding)
    #expect([tensors.classCount, tensors.boxCount, tensors.coordinateCount] == [1, 896, 16])
    #expect(
      [tensors.boxOffset, tensors.keypointOffset, tensors.keypointCount, tensors.valuesPerKeypoint] == [0, 4, 6, 2])
    #expect([tensors.xScale, tensors.yScale, tensors.widthScale, tensors.heightScale] == [128, 127, 126, 125])
    #expect(tensors.scoreClippingThreshold == 100)
    #expect(tensors.hasReversedOutputOrder)
    #expect(tensors.appliesSigmoidToScore)
    for fields in [layout.merging([6: .ints([8, 0])]) { $1 }, layout.merging([0: .int(-4)]) { $1 }] {
      #expect(throws: SchemaError.self) { try FaceDetectorMetadata(region([1: .table(fields)])) }
    }
  }
}
