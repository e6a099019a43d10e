import Foundation
import MLKit
import SwiftletTestSupport
import Testing

@Suite("Swift 5 apps' code for ML Kit", .timeLimit(.minutes(10)))
struct MLKitClientTests {
  @Test("detects, tracks, and classifies objects on a shelf", arguments: [false, true])
  func shelf(isStream: Bool) async throws {
    let colors = PassingModel(
      type: .uint8, scale: 1 / 255, width: 1, height: 1,
      outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])
    let folder = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(BoxReadingModel.bytes).write(to: URL(fileURLWithPath: folder + "/localizer.tflite"))
    try Data(colors.bytes).write(to: URL(fileURLWithPath: folder + "/classifier.tflite"))
    let scanner = ShelfScanner(
      localizerPath: folder + "/localizer.tflite", classifierPath: folder + "/classifier.tflite", isStream: isStream)
    let object = BoxReadingModel.Object(left: 90, top: 90, right: 150, bottom: 150, score: 200)
    let image = try VisionImage(
      rgb: BoxReadingModel.pixels([object], width: 50, height: 100), width: 50, height: 100)
    let findings = await withCheckedContinuation { continuation in
      scanner.scan(image) { findings, _ in continuation.resume(returning: findings) }
    }
    #expect(findings.count == 1 && findings.first.map { ($0.identifier != nil) == isStream } == true)
    #expect(findings.first.map { abs($0.frame.midX - 50 * 120 / 255) < 2 } == true, "\(findings)")
    let red = try ImageBuffer(bytes: [200, 100, 10], width: 1, height: 1, pixelFormat: .rgb8)
    #expect(scanner.name(of: MLImage(imageBuffer: red)) == "red")
  }

  @Test("captions images with labels")
  func captioned() async throws {
    let image = try ImageBuffer(
      bytes: [UInt8](repeating: 90, count: 3 * 64 * 64), width: 64, height: 64, pixelFormat: .rgb8)
    let texts = await withCheckedContinuation { continuation in
      captions(of: VisionImage(imageBuffer: image)) { continuation.resume(returning: $0) }
    }
    #expect(!texts.isEmpty && texts.allSatisfy { $0.contains(": ") }, "\(texts)")
  }
}
