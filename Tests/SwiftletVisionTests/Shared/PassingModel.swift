import SwiftletRuntime
import SwiftletTestSupport

@testable import SwiftletVision

/// A model that hands its picture on as its outputs, so that a test knows every number of them.
struct PassingModel {
  /// An output: the picture's numbers in another shape, with what the metadata says of it.
  struct Output {
    var shape: [Int]
    var name: String?
    var labels: [String]?
    /// By language.
    var displayNames: [(locale: String, names: [String])] = []
    /// The contents of a calibration file.
    var calibration: String?
    var scoreTransformation: Int8 = 0
    var defaultScore: Float = 0
  }

  var type = ElementType.float32
  /// Of the picture, and for float32 also of the outputs.
  var scale: Float?
  var zeroPoint: Int32 = 0
  var width: Int
  var height: Int
  var channels = 3
  var outputs: [Output]
  /// Mean and deviation, if the metadata is to say so.
  var normalization: (mean: Float, deviation: Float)? = (0, 1)
  /// The number that stands for an activation in the metadata.
  var activation: Int8?
  var hasMetadata = true
  /// Whether the files that the metadata names are in the model.
  var hasFiles = true

  var bytes: [UInt8] {
    var graph = TestGraph()
    let picture = graph.input(type, [1, height, width, channels], scale: scale, zeroPoint: zeroPoint)
    for output in outputs {
      let shape = graph.constant(output.shape.map(Int32.init))
      graph.add(.reshape, [picture, shape], [graph.output(type, output.shape, scale: scale, zeroPoint: zeroPoint)])
    }
    guard hasMetadata else { return TestGraph.bytes([graph]) }
    let metadata = FlatValue.file(root: [3: .tables([subgraph])], identifier: "M001")
    let model = TestGraph.bytes([graph], metadata: metadata)
    guard hasFiles, !files.isEmpty else { return model }
    var archive = RawArchive(files.map { .init($0.name, Array($0.text.utf8)) })
    archive.prefix = model
    return archive.bytes
  }

  private var subgraph: [Int: FlatValue] {
    var input: [Int: FlatValue] = [0: .string("image")]
    if let normalization {
      input[4] = .tables([
        [0: .byte(1), 1: .table([0: .floats([normalization.mean]), 1: .floats([normalization.deviation])])]
      ])
    }
    var subgraph: [Int: FlatValue] = [2: .tables([input]), 3: .tables(outputs.enumerated().map(metadata))]
    if let activation {
      let options = FlatValue.file(root: [0: .byte(activation)], identifier: "V001")
      subgraph[9] = .tables([[0: .string("SEGMENTER_METADATA"), 1: .bytes(options)]])
    }
    return subgraph
  }

  private func metadata(_ index: Int, _ output: Output) -> [Int: FlatValue] {
    var metadata: [Int: FlatValue] = [:]
    if let name = output.name { metadata[0] = .string(name) }
    var files: [[Int: FlatValue]] = []
    if output.labels != nil { files.append([0: .string("labels\(index).txt"), 2: .byte(2)]) }
    for (locale, _) in output.displayNames {
      files.append([0: .string("labels\(index)_\(locale).txt"), 2: .byte(2), 3: .string(locale)])
    }
    if output.calibration != nil {
      files.append([0: .string("calibration\(index).txt"), 2: .byte(4)])
      metadata[4] = .tables([
        [0: .byte(2), 1: .table([0: .byte(output.scoreTransformation), 1: .float(output.defaultScore)])]
      ])
    }
    if !files.isEmpty { metadata[6] = .tables(files) }
    return metadata
  }

  private var files: [(name: String, text: String)] {
    outputs.enumerated().flatMap { index, output in
      var files: [(name: String, text: String)] = []
      if let labels = output.labels { files.append(("labels\(index).txt", labels.joined(separator: "\n") + "\n")) }
      for (locale, names) in output.displayNames {
        files.append(("labels\(index)_\(locale).txt", names.joined(separator: "\n") + "\n"))
      }
      if let calibration = output.calibration { files.append(("calibration\(index).txt", calibration)) }
      return files
    }
  }

  var base: BaseOptions { BaseOptions(modelBytes: bytes) }
}

/// The task error a call throws.
func taskError(_ body: () throws -> Void) -> VisionTaskError? {
  do {
    try body()
    return nil
  } catch {
    return error as? VisionTaskError
  }
}
