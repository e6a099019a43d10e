import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport

/// The formats that models consist of.
enum FormatTargets {
  static let all: [FuzzTarget] = [
    FuzzTarget(
      "flexbuffers",
      seeds: {
        [
          FlexMap.bytes(["a": .int(3), "b": .float(0.5), "c": .bool(true), "d": .ints([1, 2, 3])]), [0, 0x28, 1],
          [1, 2, 3, 3, 3, 0x2C, 1],
        ]
      }
    ) { bytes in
      guard let value = try? FlexBufferValue(ExactBytes(bytes).region) else { return }
      visit(value)
    },
    FuzzTarget("metadata", seeds: { SeedFiles.metadata }) { bytes in metadata(bytes) },
    FuzzTarget("labels", seeds: { [Array("cat\ndog\r\nbird\r".utf8)] }) { bytes in
      let region = ExactBytes(bytes).region
      guard let lines = try? LabelFile.lines(region, name: "labels.txt") else { return }
      _ = try? LabelMap(labels: lines, displayNames: lines.reversed())
      _ = try? ScoreCalibrationFile(region)
    },
    FuzzTarget("zip", seeds: { SeedFiles.archives }) { bytes in
      guard let archive = try? ZIPArchive(endOf: ExactBytes(bytes).region, limits: .tried) else { return }
      // Members can share a name: the last one counts each time.
      for name in archive.names.prefix(16) { _ = try? archive.contents(of: name) }
    },
    FuzzTarget("bundle", seeds: { SeedFiles.archives }) { bytes in
      guard let bundle = try? TaskBundle(ExactBytes(bytes).region, limits: .tried) else { return }
      visit(bundle, depth: 0)
    },
  ]

  private static func visit(_ value: FlexBufferValue) {
    _ = (value.intValue, value.floatValue, value.boolValue, value["a"].isNull)
    for element in value.elements { visit(element) }
  }

  private static func visit(_ bundle: TaskBundle, depth: Int) {
    for name in bundle.memberNames.prefix(8) {
      _ = try? bundle.member(name)
      _ = try? bundle.model(name)
      if depth < 3, let inner = try? bundle.bundle(name) { visit(inner, depth: depth + 1) }
    }
  }

  /// Parses the bytes as the metadata of a model, and as the metadata of the tasks' own formats.
  private static func metadata(_ bytes: UnsafeRawBufferPointer) {
    let region = ExactBytes(bytes).region
    _ = try? ObjectDetectorMetadata(region)
    _ = try? FaceDetectorMetadata(region)
    _ = try? SegmenterMetadata(region)
    let file = ModelFile(subgraphs: [], metadata: [MetadataEntry(name: ModelFile.metadataEntryName, data: region)])
    guard let metadata = try? file.modelMetadata() else { return }
    for tensor in metadata.inputs + metadata.outputs {
      _ = try? tensor.normalization()
      _ = try? tensor.scoreCalibration()
      _ = try? tensor.scoreThreshold()
      _ = try? tensor.labels(locale: "en", from: nil)
    }
    for name in ["SEGMENTER_METADATA", "DETECTOR_METADATA", "x"] { _ = metadata.customMetadata(name) }
  }
}

extension ArchiveLimits {
  /// The limits for decompression in a test run.
  fileprivate static let tried = ArchiveLimits(members: 64, unpackedBytes: 1 << 20, nesting: 4)
}
