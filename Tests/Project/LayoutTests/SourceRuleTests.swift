import Foundation
import Testing

@Suite("Source rules")
struct SourceRuleTests {
  @Test("no operation in the sources can trap on data by design")
  func noForcedOperations() throws {
    let forbidden = try Regex(#"\btry!|\bas!|\bfatalError\("#)
    for file in ["Sources", "Benchmarks"].flatMap(SourceTree.swiftFiles) {
      for (index, line) in file.lines.enumerated() where line.contains(forbidden) {
        Issue.record("\(file.path):\(index + 1): \(line)")
      }
    }
  }

  @Test("a file holds one idea: none has more than 400 lines")
  func fileLength() {
    for folder in ["Sources", "Tests", "Benchmarks", "Tools"] {
      for file in SourceTree.files(in: folder, [".swift", ".c", ".js", ".css"]) where file.lines.count > 401 {
        Issue.record("\(file.path) has \(file.lines.count) lines")
      }
    }
  }

  @Test("nothing is left for later")
  func noUnfinishedMarks() throws {
    let marks = try Regex(#"\b(TODO|FIXME|XXX)\b"#)
    for folder in ["Sources", "Tests", "Benchmarks"] {
      for file in SourceTree.swiftFiles(in: folder) where !file.path.hasSuffix("SourceRuleTests.swift") {
        if file.text.contains(marks) { Issue.record("\(file.path) has an unfinished mark") }
      }
    }
  }

  @Test("the manifest has no flags that a version-pinned client would be refused for, and no outside package")
  func manifest() throws {
    let manifest = try SourceTree.text("Package.swift")
    #expect(!manifest.contains("unsafeFlags("))
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains("binaryTarget"))
    #expect(!manifest.contains("plugin"))
  }

  @Test("every operator file has its line in the catalogue")
  func catalogueIsComplete() throws {
    let catalogue = try SourceTree.text("Sources/Engine/SwiftletOperators/OperatorCatalog.swift")
    let declaration = try Regex(#"struct (\w+)(?:<[^>]*>)?: [^{]*\b\w*Operator\b"#)
    var found = 0
    for file in SourceTree.swiftFiles(in: "Sources/Engine/SwiftletOperators") {
      guard file.text.contains("static var identity: OperatorIdentity") else { continue }
      for match in file.text.matches(of: declaration) {
        guard let name = match.output[1].substring else { continue }
        found += 1
        if !catalogue.contains("\(name)") { Issue.record("\(file.path): \(name) is not in the catalogue") }
      }
    }
    #expect(found > 0)
  }

  @Test("the top level holds what was agreed and nothing else")
  func topLevel() throws {
    let agreed: Set<String> = [
      "Package.swift", "Sources", "Tests", "Benchmarks", "Models", "Tools", "docs", "README.md", "LICENSE",
      "CONTRIBUTING.md",
      "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "RELEASING.md", "Package.resolved",
    ]
    for name in try FileManager.default.contentsOfDirectory(atPath: SourceTree.root) {
      #expect(agreed.contains(name) || name.hasPrefix("."), "\(name) is not part of the agreed layout")
    }
  }
}
