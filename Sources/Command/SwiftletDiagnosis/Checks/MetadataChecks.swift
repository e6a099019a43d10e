import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// Checks of a model's metadata: is it complete, and does it agree with the graph?
struct MetadataChecks {
  private let file: ModelFile
  private let facts: GraphFacts
  private(set) var findings: [DiagnosisFinding] = []

  init(_ model: Model, _ facts: GraphFacts) {
    file = model.file
    self.facts = facts
    do {
      guard let metadata = try file.modelMetadata() else {
        if facts.graph.inputs.contains(where: isImage) {
          add(
            .note, "metadata-missing", "The model has no metadata.",
            advice: "Write the normalization of the images and the labels into the model.")
        }
        return
      }
      check(metadata)
    } catch {
      add(
        .error, "metadata-damaged", weight: 9, "The metadata cannot be read: \("\(error)".excerpt).",
        advice: "Write the metadata again.")
    }
  }

  private mutating func add(
    _ severity: DiagnosisFinding.Severity, _ kind: String, tensor: Int? = nil, weight: Double = 0, _ message: String,
    advice: String = ""
  ) {
    findings.append(
      DiagnosisFinding(severity, kind, facts, tensor: tensor, weight: weight, message, advice: advice))
  }

  /// Whether a tensor has the shape of an image: `[batch, height, width, 1, 3, or 4]`.
  private func isImage(_ tensor: Int) -> Bool {
    let shape = facts.graph.tensors[tensor].shape
    return shape.count == 4 && [1, 3, 4].contains(shape[3]) && shape[1] > 4 && shape[2] > 4
  }

  private mutating func check(_ metadata: ModelMetadata) {
    guard let graph = metadata.subgraphs.first else {
      return add(
        .warning, "metadata-empty", "The metadata describes no graph.",
        advice: "Write the normalization and the labels into the metadata.")
    }
    let counts = [
      ("inputs", graph.inputs.count, facts.graph.inputs.count),
      ("outputs", graph.outputs.count, facts.graph.outputs.count),
    ]
    for (what, described, actual) in counts where described != actual && described > 0 {
      add(
        .error, "metadata-count", weight: 8,
        "The metadata describes \(described) \(what), the graph has \(actual).",
        advice: "Describe every one of the \(what), in the order of the graph.")
    }
    for (tensor, described) in zip(facts.graph.inputs, graph.inputs) { checkInput(tensor, described) }
    let archive = checkArchive(metadata)
    for (tensor, described) in zip(facts.graph.outputs, graph.outputs) { checkOutput(tensor, described, archive) }
  }

  // MARK: Inputs

  private mutating func checkInput(_ tensor: Int, _ described: TensorMetadata) {
    let description = facts.graph.tensors[tensor]
    if case .image(let image)? = described.content?.properties { checkImage(image, tensor, description) }
    do {
      guard let normalization = try described.normalization() else {
        let isFloatImage = description.type == .float32 && isImage(tensor)
        if isFloatImage {
          add(
            .warning, "normalization-missing", tensor: tensor, weight: 6,
            "The metadata has no normalization for the image '\(description.name.excerpt)', which takes floats.",
            advice: "Write the mean and the deviation that the model was trained with.")
        }
        return
      }
      check(normalization, tensor, description, described.statistics)
    } catch {
      add(
        .error, "normalization-invalid", tensor: tensor, weight: 9,
        "The normalization of '\(description.name.excerpt)' is invalid: \("\(error)".excerpt).",
        advice: "Write one mean and one deviation other than 0 per channel, or one for all.")
    }
  }

  private mutating func checkImage(_ image: ImageProperties, _ tensor: Int, _ description: TensorDescription) {
    guard isImage(tensor) else { return }
    let channels = description.shape[3]
    let expected = image.colorSpace == .grayscale ? 1 : image.colorSpace == .rgb ? 3 : channels
    if expected != channels {
      add(
        .error, "color-space", tensor: tensor, weight: 8,
        "The metadata says that '\(description.name.excerpt)' is \(image.colorSpace == .rgb ? "an RGB" : "a grayscale") image, but it has \(channels) channels.",
        advice: "Correct the color space in the metadata.")
    }
    if let size = image.defaultSize, size.width > 0, size.height > 0,
      size.width != description.shape[2] || size.height != description.shape[1], description.shapeSignature == nil
    {
      add(
        .error, "image-size", tensor: tensor, weight: 7,
        "The metadata says that '\(description.name.excerpt)' is \(size.width) × \(size.height) pixels, the graph says \(description.shape[2]) × \(description.shape[1]).",
        advice: "Correct the size in the metadata.")
    }
  }

  private mutating func check(
    _ normalization: Normalization, _ tensor: Int, _ description: TensorDescription, _ statistics: TensorStatistics?
  ) {
    let name = description.name.excerpt
    let channels = isImage(tensor) ? description.shape[3] : normalization.mean.count
    if normalization.mean.count != 1, normalization.mean.count != channels {
      add(
        .error, "normalization-channels", tensor: tensor, weight: 8,
        "The normalization of '\(name)' has \(normalization.mean.count) means, the image has \(channels) channels.",
        advice: "Write one mean and one deviation per channel, or one for all.")
    }
    let ends = NormalizedRange(normalization)
    if let format = NumberFormat(description), let range = format.representable, format.isQuantized {
      check(ends, normalization, range, format, tensor, name)
    }
    guard let lower = statistics?.minimum.min(), let upper = statistics?.maximum.max(), lower < upper,
      lower.isFinite, upper.isFinite, description.type == .float32, isImage(tensor)
    else { return }
    // Statistics are of normalized values, or of pixels.
    let width = ends.upper - ends.lower
    let agrees = abs(ends.lower - lower) < width / 4 && abs(ends.upper - upper) < width / 4
    let arePixels = lower >= -1 && lower <= 16 && upper >= 200 && upper <= 256
    if !agrees, !arePixels {
      add(
        .error, "normalization-contradicts-statistics", tensor: tensor, weight: 8,
        "The normalization of '\(name)', \(Self.text(normalization)), gives numbers from \(ends.text), the statistics in the metadata say \(NormalizedRange(lower: lower, upper: upper).text).",
        advice: "Correct the normalization or the statistics.")
    }
  }

  private mutating func check(
    _ ends: NormalizedRange, _ normalization: Normalization, _ range: ClosedRange<Float>, _ format: NumberFormat,
    _ tensor: Int, _ name: String
  ) {
    let width = ends.upper - ends.lower
    // The stored pixel itself is a common choice of models whose first layer contains the normalization.
    let takesPixels = abs(format.scale - 1) < 0.01
    let isSame = abs(range.lowerBound - ends.lower) < width / 16 && abs(range.upperBound - ends.upper) < width / 16
    guard !isSame else { return }
    let wanted = NormalizedRange(lower: range.lowerBound, upper: range.upperBound)
    let isIdentity = normalization.mean.allSatisfy { $0 == 0 } && normalization.deviation.allSatisfy { $0 == 1 }
    // Converters write the identity for models that take the stored bytes as they are.
    if isIdentity, format.type == .uint8 { return }
    let severity: DiagnosisFinding.Severity = takesPixels && isIdentity ? .note : .error
    add(
      severity, "normalization-contradicts-quantization", tensor: tensor, weight: 10,
      "The model wants \(wanted.formula) for '\(name)', whose scale and zero point hold \(wanted.text); the metadata says \(Self.text(normalization)), which gives \(ends.text).",
      advice: "Write \(wanted.formula) into the metadata, or quantize the input for \(ends.text).")
  }

  static func text(_ normalization: Normalization) -> String {
    guard normalization.mean.count == 1 || Set(normalization.mean).count == 1,
      Set(normalization.deviation).count == 1, let mean = normalization.mean.first,
      let deviation = normalization.deviation.first
    else { return "(x − \(normalization.mean)) / \(normalization.deviation)" }
    return mean == 0 ? "x / \(Figure.text(deviation))" : "(x − \(Figure.text(mean))) / \(Figure.text(deviation))"
  }

  // MARK: Outputs

  private mutating func checkArchive(_ metadata: ModelMetadata) -> ZIPArchive? {
    let files =
      metadata.subgraphs.flatMap { graph in
        (graph.inputs + graph.outputs).flatMap(\.associatedFiles) + graph.associatedFiles
      } + metadata.associatedFiles
    guard !files.isEmpty else { return nil }
    do {
      let archive = try file.associatedFiles()
      let names = Set(archive?.names ?? [])
      for missing in Set(files.map(\.name)).subtracting(names).sorted() {
        add(
          .error, "file-missing", weight: 9,
          "The metadata names the file '\(missing.excerpt)', which the model doesn't contain.",
          advice: "Pack the file into the model.")
      }
      return archive
    } catch {
      add(
        .error, "files-damaged", weight: 9, "The files packed into the model cannot be read: \("\(error)".excerpt).",
        advice: "Pack the files again.")
      return nil
    }
  }

  private mutating func checkOutput(_ tensor: Int, _ described: TensorMetadata, _ archive: ZIPArchive?) {
    let description = facts.graph.tensors[tensor]
    let name = description.name.excerpt
    do {
      if let threshold = try described.scoreThreshold(), !threshold.isFinite || threshold < 0 || threshold > 1 {
        add(
          .warning, "score-threshold", tensor: tensor, weight: 5,
          "The score threshold of '\(name)' is \(threshold), outside 0…1.", advice: "Correct the threshold.")
      }
    } catch {
      add(.error, "process-units", tensor: tensor, weight: 7, "The output '\(name)': \("\(error)".excerpt).")
    }
    guard let archive else { return }
    for file in described.associatedFiles where archive.contains(file.name) {
      checkLabels(file, tensor, archive)
    }
  }

  /// Checks a label file in any language: of the classes that an output has a score for, or of those that it names.
  private mutating func checkLabels(_ file: AssociatedFile, _ tensor: Int, _ archive: ZIPArchive) {
    guard file.kind == .tensorAxisLabels || file.kind == .tensorValueLabels else { return }
    let description = facts.graph.tensors[tensor], name = description.name.excerpt
    do {
      let labels = try LabelFile.lines(
        try archive.contents(of: file.name, atMost: LabelFile.longest), name: file.name)
      let classes = file.kind == .tensorAxisLabels ? description.shape.last ?? 0 : namedClasses(tensor) ?? 0
      // Detectors may also have a score for the background, with or without a label.
      let isWithBackground = file.kind == .tensorValueLabels && labels.count == classes + 1
      if classes > 1, labels.count != classes, !isWithBackground {
        add(
          .error, "label-count", tensor: tensor, weight: 9,
          "The label file '\(file.name.excerpt)' has \(labels.count) labels, the output '\(name)' has \(classes) classes.",
          advice: "Write one label per class, in the order of the classes.")
      }
      // Different classes may have the same name in a language.
      guard labels.count == classes, file.locale.isEmpty else { return }
      let repeated = Dictionary(grouping: labels, by: \.self).filter { $0.value.count > 1 && $0.key.count > 0 }
      let placeholders: Set = ["???", "background", "n/a", "unknown"]
      if let label = repeated.keys.filter({ !placeholders.contains($0.lowercased()) }).min() {
        add(
          .note, "label-repeated", tensor: tensor,
          "The label '\(label.excerpt)' occurs \(repeated[label]?.count ?? 2) times.")
      }
    } catch {
      add(.error, "labels-damaged", tensor: tensor, weight: 8, "The labels of '\(name)': \("\(error)".excerpt).")
    }
  }

  /// Returns the number of classes, without the background, that the values of a detector's output name; `nil` if the
  /// graph doesn't tell.
  private func namedClasses(_ tensor: Int) -> Int? {
    let source = facts.root(of: tensor)
    guard let producer = facts.producers[source], facts.name(producer) == "TFLite_Detection_PostProcess",
      let scores = facts.input(producer, 1), let columns = facts.graph.tensors[scores].shape.last
    else { return nil }
    return columns - 1
  }
}

/// The numbers that pixels from 0 to 255 become.
struct NormalizedRange {
  var lower: Float
  var upper: Float

  init(lower: Float, upper: Float) {
    self.lower = lower
    self.upper = upper
  }

  init(_ normalization: Normalization) {
    let ends = normalization.mean.indices.flatMap { channel -> [Float] in
      let (mean, deviation) = (normalization.mean[channel], normalization.deviation[channel])
      return [(0 - mean) / deviation, (255 - mean) / deviation]
    }
    lower = ends.min() ?? 0
    upper = ends.max() ?? 0
  }

  /// The ends: `−1 to 1`.
  var text: String { "\(Figure.text(lower)) to \(Figure.text(upper))" }

  /// The normalization that has this range: `(x − 127.5) / 127.5`.
  var formula: String {
    let deviation = 255 / (upper - lower)
    let mean = -lower * deviation
    let (roundMean, roundDeviation) = (Self.usual(mean), Self.usual(deviation))
    if roundMean == 0 { return roundDeviation == 1 ? "x" : "x / \(Figure.text(roundDeviation))" }
    return "(x − \(Figure.text(roundMean))) / \(Figure.text(roundDeviation))"
  }

  /// Returns the usual number near a number: scales are rounded when they are stored.
  private static func usual(_ number: Float) -> Float {
    for usual: Float in [0, 1, 127, 127.5, 128, 255, 256] where abs(number - usual) < 0.4 + 0.002 * usual {
      if abs(number - usual) <= [0, 1, 127, 127.5, 128, 255, 256].map({ abs(number - $0) }).min() ?? 0 { return usual }
    }
    return number
  }
}

/// Numbers in messages.
enum Figure {
  /// Returns a number with at most four significant digits, and a minus sign.
  static func text(_ number: Float) -> String { text(Double(number)) }

  static func text(_ number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "not a number" : number < 0 ? "−∞" : "∞" }
    guard number != 0 else { return "0" }
    let magnitude = abs(number)
    guard magnitude >= 1e-4, magnitude < 1e9 else { return "\(Float(number))".replacingMinus }
    var decimals = 3
    var bound = 10.0
    while bound <= magnitude, decimals > 0 {
      bound *= 10
      decimals -= 1
    }
    if magnitude < 1 {
      var small = 1.0
      while small > magnitude {
        small /= 10
        decimals += 1
      }
    }
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    let rounded = (magnitude * factor).rounded() / factor
    var text = "\(rounded)"
    if text.hasSuffix(".0") { text.removeLast(2) }
    return (number < 0 ? "−" : "") + text
  }

  /// Returns a share as a percentage.
  static func percent(_ share: Double) -> String { text(share * 100) + " %" }

  /// Returns decibels with one decimal.
  static func decibels(_ value: Double) -> String {
    value.isFinite ? text((value * 10).rounded() / 10) + " dB" : text(value) + " dB"
  }
}

extension String {
  fileprivate var replacingMinus: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
