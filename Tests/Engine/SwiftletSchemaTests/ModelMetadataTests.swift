import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("ModelMetadata")
struct ModelMetadataTests {
  private func model(_ metadata: [UInt8]?, files: [RawArchive.Member] = []) throws -> ModelFile {
    var model = RawModel.addition
    if let metadata { model.metadata = [("other", [1]), (ModelFile.metadataEntryName, metadata)] }
    var archive = RawArchive(files)
    archive.prefix = model.bytes
    return try ModelFile(ByteRegion(files.isEmpty ? model.bytes : archive.bytes))
  }

  @Test("reads everything that tasks use")
  func readsEverything() throws {
    let metadata = try #require(try model(MetadataSample.bytes).modelMetadata())
    #expect(metadata.name == "sample")
    #expect(metadata.description == "a sample")
    #expect(metadata.version == "v2")
    #expect(metadata.author == "somebody")
    #expect(metadata.license == "none")
    #expect(metadata.minimumParserVersion == "1.5.0")
    #expect(metadata.associatedFiles.map(\.name) == ["readme.md"])
    #expect(metadata.associatedFiles.first?.kind == .descriptions)
    #expect(metadata.associatedFiles.first?.version == "1")
    let graph = try #require(metadata.subgraphs.first)
    #expect(graph.name == "graph")
    #expect(graph.outputGroups == metadata.subgraphs[0].outputGroups)
    #expect(graph.outputGroups.map(\.tensorNames) == [["boxes", "scores"]])
    #expect(metadata.customMetadata("SEGMENTER_METADATA")?.array == [1, 2, 3])
    #expect(metadata.customMetadata("segmenter_metadata") == nil)

    let image = try #require(metadata.inputs.first)
    #expect(image.name == "image")
    #expect(image.description == "the input")
    #expect(
      image.content?.properties
        == .image(ImageProperties(colorSpace: .rgb, defaultSize: ImageSize(width: 320, height: 240))))
    #expect(try image.normalization() == Normalization(mean: [127.5], deviation: [128]))
    #expect(image.statistics == TensorStatistics(minimum: [-1], maximum: [1]))

    let boxes = metadata.outputs[0]
    #expect(boxes.dimensionNames == ["batch", "box"])
    #expect(boxes.content?.range == 2...2)
    #expect(
      boxes.content?.properties
        == .boundingBox(BoundingBoxProperties(index: [1, 0, 3, 2], kind: .boundaries, coordinateKind: .ratio)))
    #expect(try boxes.normalization() == nil)

    let scores = metadata.outputs[1]
    #expect(scores.content?.properties == .feature)
    #expect(try scores.scoreCalibration() == ScoreCalibration(transformation: .logarithm, defaultScore: 0.25))
    #expect(try scores.scoreThreshold() == 0.5)
    let words = AssociatedFile(name: "words.txt", kind: .vocabulary, locale: "")
    let pieces = AssociatedFile(name: "pieces.txt", kind: .unknown, locale: "")
    #expect(
      scores.processUnits.dropFirst(2) == [
        .patternTokenizer(PatternTokenizer(delimiter: "[^a-z]", vocabulary: [words])),
        .wordPieceTokenizer(vocabulary: [pieces]), .sentencePieceTokenizer, .other(tag: 7),
      ])
  }

  @Test("is absent if the model has none, or an empty one")
  func absent() throws {
    #expect(try model(nil).modelMetadata() == nil)
    #expect(try model([]).modelMetadata() == nil)
    #expect(try model(nil).associatedFiles() == nil)
  }

  @Test("rejects other formats, and formats for newer readers")
  func rejectsVersions() throws {
    let other = FlatValue.file(root: [:], identifier: "M002")
    let error = #expect(throws: SchemaError.self) { try model(other).modelMetadata() }
    #expect(error?.location == "TFLITE_METADATA")
    for (version, isNewer) in [
      ("1.5.0", false), ("1.5", false), ("1.5.0.0", false), ("1", false), ("0.99.1", false), ("1.4.99", false),
      ("1.5.1", true), ("1.6", true), ("2", true), ("1.10.0", true), ("1.5.0.1", true),
    ] {
      let bytes = FlatValue.file(root: MetadataSample.fields(minimumParserVersion: version), identifier: "M001")
      if isNewer {
        let error = #expect(throws: SchemaError.self) { try model(bytes).modelMetadata() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("version \(version) or newer") == true)
      } else {
        #expect(try model(bytes).modelMetadata()?.minimumParserVersion == version)
      }
    }
  }

  private func tensor(_ fields: [Int: FlatValue]) throws -> TensorMetadata {
    let bytes = FlatValue.file(root: [3: .tables([[2: .tables([fields])]])], identifier: "M001")
    return try #require(try model(bytes).modelMetadata()?.inputs.first)
  }

  private func unit(_ tag: Int8, _ fields: [Int: FlatValue]) -> [Int: FlatValue] { [0: .byte(tag), 1: .table(fields)] }

  @Test("rejects process units that are ambiguous or cannot be used")
  func rejectsProcessUnits() throws {
    let fine: [Int: FlatValue] = unit(1, [0: .floats([0]), 1: .floats([1])])
    let twice = try tensor([0: .string("x"), 4: .tables([fine, fine])])
    let error = #expect(throws: SchemaError.self) { try twice.normalization() }
    #expect(error?.message == "a tensor has at most one process unit for normalization, got 2")
    for numbers in [([], []), ([0], [1, 1]), ([0], [0]), ([.nan], [1]), ([0], [.infinity])] as [([Float], [Float])] {
      let broken = try tensor([4: .tables([unit(1, [0: .floats(numbers.0), 1: .floats(numbers.1)])])])
      #expect(throws: SchemaError.self) { try broken.normalization() }
    }
    #expect(throws: SchemaError.self) { try tensor([4: .tables([unit(2, [0: .byte(9)])])]) }
    #expect(throws: SchemaError.self) { try tensor([3: .table([2: .table([0: .int(3), 1: .int(2)])])]) }
  }

  @Test("keeps content of a newer kind as unknown")
  func newerContent() throws {
    #expect(try tensor([3: .table([0: .byte(99), 1: .uint(1)])]).content?.properties == .unknown)
    #expect(
      try tensor([3: .table([0: .byte(4), 1: .table([0: .uint(16_000), 1: .uint(2)])])]).content?.properties
        == .audio(AudioProperties(sampleRate: 16_000, channels: 2)))
    #expect(
      try tensor([3: .table([0: .byte(2), 1: .table([0: .byte(9)])])]).content?.properties
        == .image(ImageProperties(colorSpace: .unknown, defaultSize: nil)))
  }

  @Test("finds labels and display names in the files appended to the model")
  func labels() throws {
    let files: [RawArchive.Member] = [
      .init("labels.txt", Array("cat\ndog\n".utf8)), .init("labels_de.txt", Array("Katze\nHund\n".utf8)),
    ]
    let model = try model(MetadataSample.bytes, files: files)
    let archive = try model.associatedFiles()
    let scores = try #require(try model.modelMetadata()?.outputs.last)
    #expect(try scores.labels(locale: nil, from: archive) == LabelMap(labels: ["cat", "dog"], displayNames: nil))
    #expect(try scores.labels(locale: "", from: archive)?.displayNames == nil)
    #expect(try scores.labels(locale: "fr", from: archive)?.displayNames == nil)
    #expect(try scores.labels(locale: "de", from: archive)?.displayNames == ["Katze", "Hund"])
    #expect(try scores.labels(.tensorValueLabels, locale: nil, from: archive) == nil)
    let missing = #expect(throws: SchemaError.self) { try scores.labels(locale: nil, from: nil) }
    #expect(missing?.code == .missingMember)
  }

  @Test("requires one display name per name")
  func mismatchedLabels() {
    let error = #expect(throws: SchemaError.self) { try LabelMap(labels: ["a", "b"], displayNames: ["A"]) }
    #expect(error?.message.contains("got 1 and 2") == true)
  }
}

@Suite("Label and calibration files")
struct LabelFileTests {
  @Test(
    "lines end in any of three ways, and one empty line at the end does not count",
    arguments: [
      ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]),
      ("a\n\nb\n", ["a", "", "b"]), ("a\n\n", ["a", ""]), ("\n", [""]), ("\r\n\r\n", ["", ""]), ("\n\r", ["", ""]),
      (" ü \n", [" ü "]),
    ])
  func lines(_ text: String, _ expected: [String]) throws {
    #expect(try LabelFile.lines(ByteRegion(Array(text.utf8)), name: "labels.txt") == expected)
  }

  @Test("an empty label file is an error that names it")
  func emptyLabels() {
    let error = #expect(throws: SchemaError.self) { try LabelFile.lines(.empty, name: "labels.txt") }
    #expect(error?.message.contains("\"labels.txt\" is empty") == true)
  }

  @Test("files of excessive length are rejected")
  func absurdLength() {
    let file = ByteRegion([UInt8](repeating: UInt8(ascii: "\n"), count: LabelFile.longest + 1))
    let labels = #expect(throws: SchemaError.self) { try LabelFile.lines(file, name: "labels.txt") }
    #expect(labels?.code == .limitExceeded)
    let calibration = #expect(throws: SchemaError.self) { try ScoreCalibrationFile(file) }
    #expect(calibration?.code == .limitExceeded)
  }

  @Test("calibration has parameters per line, or none")
  func calibration() throws {
    let file = try ScoreCalibrationFile(ByteRegion(Array("1,0.5,-2\n\n0.9, 1 ,2,0.25\r\n".utf8)))
    #expect(
      file.entries == [
        .init(scale: 1, slope: 0.5, offset: -2, minimumScore: nil), nil,
        .init(scale: 0.9, slope: 1, offset: 2, minimumScore: 0.25), nil,
      ])
    #expect(try ScoreCalibrationFile(.empty).entries == [nil])
  }

  @Test(
    "an invalid calibration is rejected with its line",
    arguments: [
      "1,2", "1,2,3,4,5", "a,b,c", "1,,3", "-1,2,3", "nan,1,1", "1,2,inf", " ",
    ])
  func brokenCalibration(_ line: String) {
    let error = #expect(throws: SchemaError.self) { try ScoreCalibrationFile(ByteRegion(Array("1,1,1\n\(line)".utf8))) }
    #expect(error?.message.contains("line 2") == true)
  }
}
