import Foundation
import SwiftletTestSupport
import Testing

/// Replays the files that revealed defects in the past.
@Suite("Hostile corpus")
struct HostileCorpusTests {
  private static let folder: [String] = {
    let path = TestData.path("hostile")
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".tflite") }
      .sorted().map { path + "/" + $0 }
  }()

  @Test(
    "every kind of hostile model gives an error or a result, with small and with default limits",
    arguments: HostileModels.all.map(\.name))
  func models(name: String) throws {
    let bytes = try #require(HostileModels.all.first { $0.name == name }?.bytes)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".tflite")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(bytes).write(to: path)
    for defaultLimits in [false, true] {
      let result = try FuzzProcess.replay(path.path, defaultLimits: defaultLimits)
      #expect(result.status == 0 && !result.isSignal, "\(result)")
    }
  }

  @Test("a small campaign finds nothing", arguments: ["mutants", "graphs", "tasks"])
  func campaign(kind: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try FuzzProcess.run([
      kind, "--count", "200", "--seed", "17", "--jobs", "2", "--deadline", "60000", "--memory", "3072", "--output",
      folder.path,
    ])
    #expect(result.status == 0 && result.text.contains("| \(kind) | 17 | 200 |"), "\(result)")
  }

  @Test(
    "every hostile model of the test data gives an error or a result",
    .enabled(if: !folder.isEmpty, "\(TestData.skipReason)"),
    arguments: folder)
  func files(path: String) throws {
    for defaultLimits in [false, true] {
      let result = try FuzzProcess.replay(path, defaultLimits: defaultLimits)
      #expect(result.status == 0 && !result.isSignal, "\(result)")
    }
  }
}
