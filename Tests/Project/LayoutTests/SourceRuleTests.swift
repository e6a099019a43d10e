import Testing

@Suite("Source rules")
struct SourceRuleTests {
  @Test("no operation in the sources traps on input data")
  func noForcedOperations() throws {
    let forbidden = try Regex(#"\btry!|\bas!|\bfatalError\("#)
    for file in ["Sources", "Benchmarks"].flatMap(SourceTree.swiftFiles) {
      for (index, line) in file.lines.enumerated() where line.contains(forbidden) {
        Issue.record("\(file.path):\(index + 1): \(line)")
      }
    }
  }

  @Test("the package manifest has no unsafe flags and no external dependencies")
  func manifest() throws {
    let manifest = try SourceTree.text("Package.swift")
    #expect(!manifest.contains("unsafeFlags("))
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains("binaryTarget"))
    #expect(!manifest.contains("plugin"))
  }

  @Test("every operator file is in the catalog")
  func catalogIsComplete() throws {
    let catalog = try SourceTree.text("Sources/Engine/SwiftletOperators/OperatorCatalog.swift")
    let declaration = try Regex(#"struct (\w+)(?:<[^>]*>)?: [^{]*\b\w*Operator\b"#)
    var found = 0
    for file in SourceTree.swiftFiles(in: "Sources/Engine/SwiftletOperators") {
      guard file.text.contains("static var identity: OperatorIdentity") else { continue }
      for match in file.text.matches(of: declaration) {
        guard let name = match.output[1].substring else { continue }
        found += 1
        if !catalog.contains("\(name)") { Issue.record("\(file.path): \(name) is not in the catalog") }
      }
    }
    #expect(found > 0)
  }
}
