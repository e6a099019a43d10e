import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Segment labels")
struct SegmentLabelTests {
  @Test(
    "are in the requested language, or as in the label file if it is missing",
    arguments: [
      (nil, ["Sky", "Sea", "Land"]), ("de", ["Himmel", "sea", "Land"]), ("fr", ["sky", "sea", "land"]),
    ] as [(String?, [String])])
  func languages(locale: String?, expected: [String]) throws {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    let names = [("de", ["Himmel", "", "Land"]), ("en", ["Sky", "Sea", "Land"])]
    try Data(SyntheticModels.segmenter(displayNames: names)).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = path
    if let locale { options.displayNamesLocale = locale }
    #expect(try ImageSegmenter(options: options).labels == expected)
  }
}
