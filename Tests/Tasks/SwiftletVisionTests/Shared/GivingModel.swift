import SwiftletSchema
import SwiftletTestSupport

@testable import SwiftletVision

/// A model that returns the same outputs for every image, with metadata that a test chooses.
struct GivingModel {
  var outputs: [(values: [Float], shape: [Int])]
  /// The fields of the metadata of every output; without it, the model has no metadata.
  var described: [[Int: FlatValue]]?
  var files: [(name: String, text: String)] = []
  var custom: (name: String, root: [Int: FlatValue])?
  var (height, width) = (2, 2)

  init(_ outputs: [(values: [Float], shape: [Int])], described: [[Int: FlatValue]]? = nil) {
    (self.outputs, self.described) = (outputs, described)
  }

  var bytes: [UInt8] {
    let graph = TestGraph.giving(outputs, forImageOf: height, by: width)
    guard described != nil || custom != nil else { return TestGraph.bytes([graph]) }
    var subgraph: [Int: FlatValue] = [2: .tables([[0: .string("image")]])]
    if let described { subgraph[3] = .tables(described) }
    if let custom {
      let contents = FlatValue.file(root: custom.root, identifier: "V001")
      subgraph[9] = .tables([[0: .string(custom.name), 1: .bytes(contents)]])
    }
    let model = TestGraph.bytes([graph], metadata: FlatValue.file(root: [3: .tables([subgraph])], identifier: "M001"))
    guard !files.isEmpty else { return model }
    var archive = RawArchive(files.map { .init($0.name, Array($0.text.utf8)) })
    archive.prefix = model
    return archive.bytes
  }

  var base: BaseOptions {
    BaseOptions(model: .bytes(bytes), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1]))
  }

  /// Returns a gray image, which models of this kind ignore.
  static func image(_ width: Int = 256, _ height: Int = 128) throws -> InputImage {
    try InputImage(rgb: [UInt8](repeating: 100, count: 3 * width * height), width: width, height: height)
  }

  /// Returns the metadata of a box tensor.
  static func boxes(index: [Int32]? = [1, 0, 3, 2], kind: Int8 = 1, coordinates: Int8 = 0) -> FlatValue {
    var properties: [Int: FlatValue] = [1: .byte(kind), 2: .byte(coordinates)]
    if let index { properties[0] = .ints(index) }
    return .table([0: .byte(3), 1: .table(properties)])
  }
}
