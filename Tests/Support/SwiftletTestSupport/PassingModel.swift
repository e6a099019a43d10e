package import SwiftletEngine

/// A model that passes its image on as its outputs, so that a test knows every number of them.
package struct PassingModel: Sendable {
  /// An output: the image's numbers in another shape, with its metadata.
  package struct Output: Sendable {
    package var shape: [Int]
    package var name: String?
    /// The lines of the label file.
    package var labels: [String]?
    /// The label file itself, instead of one made of `labels`.
    package var labelFile: String?
    /// The display names by language.
    package var displayNames: [(locale: String, names: [String])]
    /// The contents of a calibration file.
    package var calibration: String?
    package var scoreTransformation: Int8
    package var defaultScore: Float
    package var scoreThresholds: [Float] = []
    /// The output whose label file this output also refers to.
    package var labelsOfOutput: Int?

    package init(
      shape: [Int], name: String? = nil, labels: [String]? = nil,
      displayNames: [(locale: String, names: [String])] = [],
      calibration: String? = nil, scoreTransformation: Int8 = 0, defaultScore: Float = 0
    ) {
      self.shape = shape
      self.name = name
      self.labels = labels
      self.displayNames = displayNames
      self.calibration = calibration
      self.scoreTransformation = scoreTransformation
      self.defaultScore = defaultScore
    }
  }

  package var type = ElementType.float32
  /// The scale of the image, and for float32 also of the outputs.
  package var scale: Float?
  package var zeroPoint: Int32 = 0
  package var width: Int
  package var height: Int
  package var channels = 3
  /// The input shape, if it differs from the image's shape.
  package var inputShape: [Int]?
  package var hasSecondInput = false
  /// Whether the graph lists the first output's tensor in place of all others.
  package var repeatsFirstOutput = false
  package var outputs: [Output]
  /// The mean and deviation in the metadata, if any.
  package var normalization: (mean: Float, deviation: Float)? = (0, 1)
  /// Several means and deviations, instead of a single pair.
  package var normalizations: [(mean: [Float], deviation: [Float])]?
  /// The number of a color space in the metadata of the image.
  package var colorSpace: Int8?
  /// The sample rate in hertz and the number of channels, for a model with audio input instead of an image.
  package var sound: (sampleRate: UInt32, channels: UInt32)?
  /// The number of an activation in the metadata.
  package var activation: Int8?
  package var hasMetadata = true
  /// Whether the model contains the files that its metadata refers to.
  package var hasFiles = true
  /// The number of outputs that the metadata describes, if not all.
  package var describedOutputCount: Int?

  package init(
    type: ElementType = .float32, scale: Float? = nil, width: Int, height: Int, outputs: [Output],
    normalization: (mean: Float, deviation: Float)? = (0, 1), hasMetadata: Bool = true
  ) {
    self.type = type
    self.scale = scale
    self.width = width
    self.height = height
    self.outputs = outputs
    self.normalization = normalization
    self.hasMetadata = hasMetadata
  }

  /// Returns a model that passes each window of audio on as its scores.
  package static func sound(
    window: Int, sampleRate: UInt32 = 16_000, channels: UInt32 = 1, labels: [String]? = nil
  ) -> PassingModel {
    var model = PassingModel(
      width: 1, height: 1, outputs: [.init(shape: [1, window * Int(channels)], name: "scores", labels: labels)],
      normalization: nil)
    model.inputShape = [1, window * Int(channels)]
    model.sound = (sampleRate, channels)
    return model
  }

  /// Returns a model that passes an image of two pixels, `[1, 1, 2, 3]`, on as `[1, 6]`, in floats or in quantized
  /// bytes.
  package static func imageModel(quantizedBy scale: Float? = nil) -> [UInt8] {
    PassingModel(
      type: scale == nil ? .float32 : .uint8, scale: scale, width: 2, height: 1, outputs: [.init(shape: [1, 6])]
    ).bytes
  }

  package var bytes: [UInt8] {
    var graph = TestGraph()
    let image = graph.input(type, inputShape ?? [1, height, width, channels], scale: scale, zeroPoint: zeroPoint)
    if hasSecondInput { _ = graph.input(.float32, [1]) }
    var first: Int?
    for output in outputs {
      if let first, repeatsFirstOutput {
        graph.addOutput(first)
        continue
      }
      let shape = graph.constant(output.shape.map(Int32.init))
      let result = graph.output(type, output.shape, scale: scale, zeroPoint: zeroPoint)
      first = first ?? result
      graph.add(.reshape, [image, shape], [result])
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
    if let colorSpace { input[3] = .table([0: .byte(2), 1: .table([0: .byte(colorSpace)])]) }
    if let sound {
      input[3] = .table([0: .byte(4), 1: .table([0: .uint(sound.sampleRate), 1: .uint(sound.channels)])])
    }
    let units = normalizations ?? normalization.map { [(mean: [$0.mean], deviation: [$0.deviation])] } ?? []
    if !units.isEmpty {
      input[4] = .tables(units.map { [0: .byte(1), 1: .table([0: .floats($0.mean), 1: .floats($0.deviation)])] })
    }
    let described =
      outputs.enumerated().map(metadata)
      + [[Int: FlatValue]](
        repeating: [:], count: max(0, (describedOutputCount ?? 0) - outputs.count))
    var subgraph: [Int: FlatValue] = [
      2: .tables([input]), 3: .tables(Array(described.prefix(describedOutputCount ?? described.count))),
    ]
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
    var units = output.scoreThresholds.map { [0: .byte(3), 1: .table([0: .float($0)])] as [Int: FlatValue] }
    if let other = output.labelsOfOutput {
      files.append([0: .string("labels\(other).txt"), 2: .byte(2)])
    } else if output.labels != nil || output.labelFile != nil {
      files.append([0: .string("labels\(index).txt"), 2: .byte(2)])
    }
    for (locale, _) in output.displayNames {
      files.append([0: .string("labels\(index)_\(locale).txt"), 2: .byte(2), 3: .string(locale)])
    }
    if output.calibration != nil {
      files.append([0: .string("calibration\(index).txt"), 2: .byte(4)])
      units.append([0: .byte(2), 1: .table([0: .byte(output.scoreTransformation), 1: .float(output.defaultScore)])])
    }
    if !units.isEmpty { metadata[4] = .tables(units) }
    if !files.isEmpty { metadata[6] = .tables(files) }
    return metadata
  }

  private var files: [(name: String, text: String)] {
    outputs.enumerated().flatMap { index, output in
      var files: [(name: String, text: String)] = []
      if let text = output.labelFile ?? output.labels.map({ $0.joined(separator: "\n") + "\n" }) {
        files.append(("labels\(index).txt", text))
      }
      for (locale, names) in output.displayNames {
        files.append(("labels\(index)_\(locale).txt", names.joined(separator: "\n") + "\n"))
      }
      if let calibration = output.calibration { files.append(("calibration\(index).txt", calibration)) }
      return files
    }
  }
}
