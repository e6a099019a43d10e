import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletSchema

/// Checks every metadata field with a distinct value.
@Suite("Fields of the metadata")
struct MetadataFieldTests {
  private func model(_ root: [Int: FlatValue], files: [RawArchive.Member] = []) throws -> ModelFile {
    var model = RawModel.addition
    model.metadata = [(ModelFile.metadataEntryName, FlatValue.file(root: root, identifier: "M001"))]
    var archive = RawArchive(files)
    archive.prefix = model.bytes
    return try ModelFile(ByteRegion(files.isEmpty ? model.bytes : archive.bytes))
  }

  private func metadata(_ root: [Int: FlatValue]) throws -> ModelMetadata {
    try #require(try model(root).modelMetadata())
  }

  private func file(_ number: Int) -> [Int: FlatValue] {
    [
      0: .string("name\(number)"), 1: .string("description\(number)"), 2: .byte(Int8(number % 7)),
      3: .string("locale\(number)"), 4: .string("version\(number)"),
    ]
  }

  private func threshold(_ value: Float) -> FlatValue { .tables([[0: .byte(3), 1: .table([0: .float(value)])]]) }

  private func group(_ name: String) -> FlatValue {
    .tables([[0: .string(name), 1: .strings([name + "1", name + "2"])]])
  }

  @Test("models, subgraphs and tensors")
  func structure() throws {
    let tensor: [Int: FlatValue] = [
      0: .string("tensor"), 1: .string("tensor's description"), 2: .strings(["a", "b"]), 4: threshold(0.125),
      5: .table([0: .floats([7, 8]), 1: .floats([5, 6])]), 6: .tables([file(3)]),
    ]
    let subgraph: [Int: FlatValue] = [
      0: .string("subgraph"), 1: .string("subgraph's description"), 2: .tables([tensor]),
      3: .tables([[0: .string("first")], [0: .string("second")]]), 4: .tables([file(4)]), 5: threshold(0.25),
      6: threshold(0.5), 7: group("in"), 8: group("out"), 9: .tables([[0: .string("custom"), 1: .bytes([1, 2])]]),
    ]
    let read = try metadata([
      0: .string("model"), 1: .string("model's description"), 2: .string("model's version"),
      3: .tables([subgraph, [:]]),
      4: .string("author"), 5: .string("license"), 6: .tables([file(1), file(2)]), 7: .string("1.2.3"),
    ])
    #expect([read.name, read.description, read.version] == ["model", "model's description", "model's version"])
    #expect([read.author, read.license, read.minimumParserVersion] == ["author", "license", "1.2.3"])
    #expect(
      read.associatedFiles.last
        == AssociatedFile(
          name: "name2", description: "description2", kind: .tensorAxisLabels, locale: "locale2", version: "version2"))
    #expect(read.subgraphs.count == 2 && read.subgraphs[1].name == nil)
    let graph = read.subgraphs[0]
    #expect(graph.name == "subgraph" && graph.description == "subgraph's description")
    #expect(graph.inputs.map(\.name) == ["tensor"] && graph.outputs.map(\.name) == ["first", "second"])
    #expect(read.inputs == graph.inputs && read.outputs == graph.outputs)
    #expect(graph.associatedFiles.map(\.name) == ["name4"])
    #expect(graph.inputProcessUnits == [.scoreThresholding(threshold: 0.25)])
    #expect(graph.outputProcessUnits == [.scoreThresholding(threshold: 0.5)])
    #expect(graph.inputGroups == [TensorGroup(name: "in", tensorNames: ["in1", "in2"])])
    #expect(graph.outputGroups == [TensorGroup(name: "out", tensorNames: ["out1", "out2"])])
    #expect(graph.customMetadata.map(\.name) == ["custom"] && read.customMetadata("custom")?.array == [1, 2])
    let input = read.inputs[0]
    #expect(input.description == "tensor's description" && input.dimensionNames == ["a", "b"] && input.content == nil)
    #expect(input.statistics == TensorStatistics(minimum: [5, 6], maximum: [7, 8]))
    #expect(
      input.associatedFiles.map(\.name) == ["name3"] && input.processUnits == [.scoreThresholding(threshold: 0.125)])
    let bare = try metadata([:])
    #expect(bare.subgraphs.isEmpty && bare.inputs.isEmpty && bare.outputs.isEmpty && bare.customMetadata("x") == nil)
  }

  @Test("every kind of file, and an unknown newer kind", arguments: 0...8)
  func kinds(number: Int) throws {
    let kinds: [AssociatedFile.Kind] = [
      .unknown, .descriptions, .tensorAxisLabels, .tensorValueLabels, .tensorAxisScoreCalibration, .vocabulary,
      .scannIndex, .unknown, .unknown,
    ]
    let file = try metadata([6: .tables([[2: .byte(Int8(number))]])]).associatedFiles[0]
    #expect(file == AssociatedFile(name: "", kind: kinds[number], locale: ""))
  }

  private func tensor(_ fields: [Int: FlatValue]) throws -> TensorMetadata {
    try #require(try metadata([3: .tables([[2: .tables([fields])]])]).inputs.first)
  }

  private func properties(_ tag: Int8, _ fields: [Int: FlatValue]?) throws -> TensorContent.Properties? {
    var content: [Int: FlatValue] = [0: .byte(tag)]
    if let fields { content[1] = .table(fields) }
    return try tensor([3: .table(content)]).content?.properties
  }

  @Test("content of every kind")
  func content() throws {
    #expect(try properties(0, nil) == .unknown && properties(1, nil) == .feature && properties(1, [:]) == .feature)
    #expect(try properties(2, nil) == .unknown && properties(5, [:]) == .unknown)
    for (number, space) in [(0, .unknown), (1, .rgb), (2, .grayscale), (3, .unknown)]
      as [(Int8, ImageProperties.ColorSpace)]
    {
      #expect(try properties(2, [0: .byte(number)]) == .image(ImageProperties(colorSpace: space)))
    }
    let size = ImageSize(width: 640, height: 480)
    #expect(
      try properties(2, [0: .byte(1), 1: .table([0: .uint(640), 1: .uint(480)])])
        == .image(ImageProperties(colorSpace: .rgb, defaultSize: size)))
    for (number, kind) in [(0, .unknown), (1, .boundaries), (2, .upperLeft), (3, .center), (4, .unknown)]
      as [(Int8, BoundingBoxProperties.Kind)]
    {
      #expect(
        try properties(3, [1: .byte(number), 2: .byte(1)])
          == .boundingBox(BoundingBoxProperties(kind: kind, coordinateKind: .pixel)))
    }
    #expect(
      try properties(3, [0: .ints([3, 0, 1, 2]), 2: .byte(7)])
        == .boundingBox(BoundingBoxProperties(index: [3, 0, 1, 2], kind: .unknown, coordinateKind: .ratio)))
    #expect(
      try properties(4, [0: .uint(44_100), 1: .uint(6)]) == .audio(AudioProperties(sampleRate: 44_100, channels: 6)))
    let ranged = try tensor([3: .table([2: .table([0: .int(2), 1: .int(5)])])]).content
    #expect(ranged == TensorContent(properties: .unknown, range: 2...5))
    #expect(try tensor([3: .table([2: .table([0: .int(2), 1: .int(2)])])]).content?.range == 2...2)
    let reversed: SchemaError? = thrownError { try tensor([3: .table([2: .table([0: .int(3), 1: .int(2)])])]) }
    #expect(reversed?.message == "the range must not be reversed, got 3 to 2")
    #expect(
      reversed?.location == "TFLITE_METADATA.subgraph_metadata[0].input_tensor_metadata[0].content.range")
  }

  private func unit(_ tag: Int8, _ fields: [Int: FlatValue]) throws -> ProcessUnit? {
    try tensor([4: .tables([[0: .byte(tag), 1: .table(fields)]])]).processUnits.first
  }

  @Test("process units of every kind")
  func processUnits() throws {
    #expect(
      try unit(1, [0: .floats([1, 2]), 1: .floats([3, 4])])
        == .normalization(Normalization(mean: [1, 2], deviation: [3, 4])))
    for (number, kind) in [(0, .identity), (1, .logarithm), (2, .inverseLogistic)]
      as [(Int8, ScoreCalibration.Transformation)]
    {
      #expect(
        try unit(2, [0: .byte(number), 1: .float(0.75)])
          == .scoreCalibration(ScoreCalibration(transformation: kind, defaultScore: 0.75)))
    }
    let unknown: SchemaError? = thrownError { try unit(2, [0: .byte(3)]) }
    #expect(unknown?.code == .unsupported && unknown?.message == "unknown score transformation 3; expected 0, 1 or 2")
    #expect(
      try unit(3, [0: .float(0.5)]) == .scoreThresholding(threshold: 0.5) && unit(5, [:]) == .sentencePieceTokenizer)
    let words = AssociatedFile(name: "w", kind: .unknown, locale: "")
    #expect(try unit(4, [0: .tables([[0: .string("w")]])]) == .wordPieceTokenizer(vocabulary: [words]))
    #expect(
      try unit(6, [0: .string("-"), 1: .tables([[0: .string("w")]])])
        == .patternTokenizer(PatternTokenizer(delimiter: "-", vocabulary: [words])))
    #expect(
      try unit(7, [:]) == .other(tag: 7) && tensor([4: .tables([[0: .byte(6)]])]).processUnits == [.other(tag: 6)])
    #expect(try tensor([4: .tables([[:]])]).processUnits == [.other(tag: 0)])
  }

  @Test("a tensor has at most one unit of each kind, with usable numbers")
  func lookups() throws {
    let calibration = ProcessUnit.scoreCalibration(ScoreCalibration(transformation: .logarithm, defaultScore: 0.5))
    let threshold = ProcessUnit.scoreThresholding(threshold: 0.25)
    let one = TensorMetadata(name: "t", processUnits: [threshold, calibration])
    #expect(try one.scoreThreshold() == 0.25 && one.scoreCalibration()?.defaultScore == 0.5)
    #expect(try one.normalization() == nil && TensorMetadata().scoreThreshold() == nil)
    #expect(try TensorMetadata().scoreCalibration() == nil)
    let two = TensorMetadata(name: "t", processUnits: [threshold, threshold, calibration, calibration])
    let thresholds: SchemaError? = thrownError { try two.scoreThreshold() }
    #expect(thresholds?.message == "a tensor has at most one process unit for score thresholding, got 2")
    #expect(thresholds?.location == "t" && thresholds?.code == .invalid)
    let calibrations: SchemaError? = thrownError { try two.scoreCalibration() }
    #expect(calibrations?.message == "a tensor has at most one process unit for score calibration, got 2")
    func normalization(_ mean: [Float], _ deviation: [Float]) throws -> Normalization? {
      let unit = ProcessUnit.normalization(Normalization(mean: mean, deviation: deviation))
      return try TensorMetadata(processUnits: [unit]).normalization()
    }
    #expect(try normalization([1, 2], [3, -4])?.deviation == [3, -4])
    for (mean, deviation) in [
      ([], []), ([1], []), ([1], [1, 1]), ([1, .infinity], [1, 1]), ([1], [0]), ([1, 1], [1, .nan]),
    ]
      as [([Float], [Float])]
    {
      let error: SchemaError? = thrownError { try normalization(mean, deviation) }
      #expect(error?.code == .invalid && error?.message.hasSuffix("got \(mean) and \(deviation)") == true)
    }
  }

  @Test("files are found by kind, and by language if requested")
  func files() throws {
    let files = [
      AssociatedFile(name: "a", kind: .vocabulary, locale: ""),
      AssociatedFile(name: "b", kind: .tensorAxisLabels, locale: "de"),
      AssociatedFile(name: "c", kind: .tensorAxisLabels, locale: "fr"),
      AssociatedFile(name: "d", kind: .vocabulary, locale: "de"),
    ]
    let tensor = TensorMetadata(associatedFiles: files)
    #expect(tensor.associatedFile(.tensorAxisLabels)?.name == "b" && tensor.associatedFile(.scannIndex) == nil)
    #expect(tensor.associatedFile(.tensorAxisLabels, locale: "fr")?.name == "c")
    #expect(tensor.associatedFile(.vocabulary, locale: "de")?.name == "d")
    #expect(tensor.associatedFile(.vocabulary, locale: "fr") == nil)
    #expect(try LabelMap(labels: ["a"], displayNames: ["A"]).displayNames == ["A"])
    for names in [["A"], ["A", "B", "C"]] {
      let error: SchemaError? = thrownError { try LabelMap(labels: ["a", "b"], displayNames: names) }
      #expect(error?.message == "there must be as many display names as labels, got \(names.count) and 2")
    }
  }

  @Test("label files of exactly the maximum length are read")
  func longLabels() throws {
    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: LabelFile.longest)
    #expect(LabelFile.longest == 16_777_216 && LabelFile.maximumLines == 1_048_576)
    #expect(try LabelFile.lines(ByteRegion(bytes), name: "l").map(\.utf8.count) == [LabelFile.longest])
    bytes.append(10)
    let error: SchemaError? = thrownError { try LabelFile.lines(ByteRegion(bytes), name: "l") }
    #expect(error?.message == "label file \"l\" has 16777217 bytes; the limit is 16777216")
  }

  @Test("versions are compared number by number")
  func versions() {
    let ascending = ["0", "0.0.1", "0.9", "1", "1.0.1", "1.2", "1.10", "2", "10"].map(DottedVersion.init)
    for (index, version) in ascending.enumerated() {
      for (other, second) in ascending.enumerated() {
        #expect((version < second) == (index < other) && (version == second) == (index == other))
      }
    }
    #expect(DottedVersion("1.0.0") == DottedVersion("1") && DottedVersion("x.1") == DottedVersion("0.1"))
  }
}
