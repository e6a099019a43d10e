import Foundation
import SwiftletGolden
import SwiftletImage
import SwiftletImageCodecs
import SwiftletEngine
import SwiftletTestSupport

/// Small valid files of every format, generated here.
enum SeedFiles {
  // MARK: Images

  private static func makeImage(_ width: Int, _ height: Int) -> ImageBuffer? {
    let pixels = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    return try? ImageBuffer(bytes: pixels, width: width, height: height, pixelFormat: .rgb8)
  }

  static let pngs: [[UInt8]] = [makeImage(1, 1), makeImage(9, 5)].compactMap { $0 }.compactMap {
    try? ImageEncoder.encodePNG($0)
  }
  static let jpegs: [[UInt8]] = [makeImage(9, 5), makeImage(17, 17)].compactMap { $0 }.compactMap {
    try? ImageEncoder.encodeJPEG($0)
  }
  static let streams: [[UInt8]] = [Array(pngs.joined()), Array(jpegs.joined()), Array((pngs + jpegs).joined())]
  static let exifs: [[UInt8]] = [
    hexadecimal("49492a00080000000100 12010300010000000600 0000 00000000"),
    hexadecimal("4d4d002a00000008 0001 0112 0003 00000001 0003 0000 00000000"),
  ]

  // MARK: Sounds

  /// 16-bit PCM with a chunk that is skipped, and floats with the extensible header.
  static let sounds: [[UInt8]] = [
    hexadecimal(
      """
      52494646 2e000000 57415645 4c495354 01000000 6100 666d7420 10000000 0100 0200 44ac0000 10b10200 0400 1000
      64617461 04000000 00400080
      """),
    hexadecimal(
      """
      52494646 40000000 57415645 666d7420 28000000 feff 0100 803e0000 00fa0000 0400 2000 1600 2000 04000000
      0300 0000 0000 1000 8000 00aa00389b71 64617461 04000000 0000803f
      """),
  ]

  // MARK: Archives and metadata

  static let archives: [[UInt8]] = {
    // "aaaaaaaaaa" in fixed codes.
    let packed = RawArchive.Member("labels.txt", Array(repeating: 97, count: 10), deflated: hexadecimal("4b840100"))
    let inner = RawArchive([.init("hand.tflite", SeedModels.smallest), packed])
    return [
      inner.bytes, RawArchive([.init("inner.task", inner.bytes), .init("a", [])]).bytes, PassingModel.described.bytes,
    ]
  }()

  static let metadata: [[UInt8]] = {
    let model = PassingModel.described.bytes
    let known = (try? Model(bytes: model))?.file.metadata.map { [UInt8]($0.data.bytes) } ?? []
    return known + [
      FlatValue.file(root: [0: .string("name"), 3: .tables([[:]])], identifier: "M001"),
      FlatValue.file(root: [0: .byte(1)], identifier: "V001"),
    ]
  }()

  // MARK: Golden tensors

  static let arrays: [[UInt8]] = [
    try? NPYFile.encode(GoldenTensor(elementType: .float32, shape: [2, 1], bytes: [UInt8](repeating: 0, count: 8))),
    try? NPYFile.encode(GoldenTensor(elementType: .bool, shape: [], bytes: [1])),
    try? NPYFile.encode(GoldenTensor(elementType: .int64, shape: [1], bytes: [UInt8](repeating: 1, count: 8))),
  ].compactMap { $0 }

  static let goldenManifests: [[UInt8]] = [
    """
    {"format": 1, "byte_order": "little", "generator": {"a": "1"}, "models": [{"model": "m", "model_offset": 0, "model_bytes": 16, "operator": "ADD",
    "rewritten_ops": [], "cases": [{"name": "c", "inputs": [{"index": 0, "name": "x", "dtype": "float32", "shape": [2], "offset": 0, "bytes": 8}],
    "outputs": [{"index": 0, "name": "y", "dtype": "int8", "shape": [3], "sample_stride": 2, "elements": 3, "offset": 8, "bytes": 2}]}]}], "skipped": []}
    """,
    """
    {"format": 1, "models": [{"model": "models.bin", "cases": [{"name": "c", "inputs": [{"index": 0, "name": "x", "dtype": "float32", "shape": [2],
    "file": "tensors.bin", "offset": 0, "bytes": 2, "storage": "uint8", "mean": 127.5, "std": 127.5}], "outputs": []}]}]}
    """,
  ].map { Array($0.utf8) }

  // MARK: The model store

  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  static let localManifests: [[UInt8]] = [
    #"{"modelFile": "model.tflite", "labelsFile": "labels.txt", "modelType": "IMAGE_LABELING"}"#,
    #"{"modelFile": "../model.tflite"}"#,
  ].map { Array($0.utf8) }

  static let storeManifests: [[UInt8]] = [
    #"{"name": "recorded", "version": "2", "url": "https://example.com/a", "sha256": "\#(digest)", "size": 12}"#,
    #"{"url": "b/c?d=e", "sha256": "\#(digest)"}"#,
  ].map { Array($0.utf8) }

  static let records: [[UInt8]] = [
    #"{"name": "m", "source": "url a", "sha256": "\#(digest)", "byteCount": 12, "installed": 7.0e8, "version": "1"}"#
  ].map { Array($0.utf8) }

  static let answers: [[UInt8]] = [
    "200\n0\n\nContent-Length: 4\nETag: \"a\"\n\nTFL3",
    "206\n5\n{\"address\":\"https://example.com/model.tflite\",\"etag\":\"\\\"a\\\"\",\"size\":9}\nContent-Range: bytes 5-8/9\nContent-Length: 4\nETag: \"a\"\n\nabcd",
    "206\n5\n{\"address\":\"https://example.com/model.tflite\",\"etag\":\"\\\"a\\\"\"}\nContent-Range: bytes 5-8/*\nContent-Length: 4\n\nabcd",
    "416\n5\n{\"address\":\"https://example.com/model.tflite\",\"etag\":\"\\\"a\\\"\"}\n\n",
    "503\n0\n\nRetry-After: 7\n\n{\"error\": {\"message\": \"later\"}}",
    "200\n0\n\nETag: \"abc\"\n\n{\"downloadUri\": \"https://example.com/m\", \"expireTime\": \"2030-01-02T03:04:05.6Z\", \"sizeBytes\": \"12\"}",
  ].map { Array($0.utf8) }
}

extension PassingModel {
  /// A classifier with labels in two languages and a calibration.
  fileprivate static let described: PassingModel = {
    var output = Output(
      shape: [1, 3], name: "scores", labels: ["a", "b", "c"], displayNames: [("de", ["x", "y", "z"])],
      calibration: "1,0.5,0.1\n\n0.3,1,1\n")
    output.scoreThresholds = [0.5]
    return PassingModel(width: 1, height: 1, outputs: [output])
  }()
}
