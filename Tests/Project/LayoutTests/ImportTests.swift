import Testing

@Suite("Imports")
struct ImportTests {
  /// The build itself refuses an import of a module of this package that Package.swift does not list as a dependency.
  @Test("there is no Foundation below the tasks")
  func noFoundationBelowTasks() {
    let files = ["Sources/Engine", "Sources/Images/SwiftletImage"].flatMap(SourceTree.swiftFiles)
      .filter { $0.target != "Swiftlet" }
    #expect(files.count > 100)
    for file in files {
      for module in Self.imports(file) where module.hasPrefix("Foundation") {
        Issue.record("\(file.path) imports \(module)")
      }
    }
  }

  @Test("of clients in the mode of Swift 5 name every façade")
  func swiftFiveClients() throws {
    let manifest = try SourceTree.text("Package.swift")
    let facades = Set(SourceTree.swiftFiles(in: "Sources/Facades").map(\.target))
      .filter { manifest.contains(".library(name: \"\($0)\"") }
    #expect(facades.count > 10)
    let clients = SourceTree.swiftFiles(in: "Tests/Facades/SwiftFiveClientTests")
      .filter { !$0.path.hasSuffix("Tests.swift") }
    let named = Set(clients.flatMap(Self.imports))
    #expect(facades.subtracting(named).isEmpty, "no client imports these")
  }

  @Test("name the platform's C library in one module")
  func oneCLibrary() {
    let names: Set = ["Glibc", "Musl", "Android", "Darwin"]
    let files = ["Sources", "Benchmarks", "Tests", "Tools"].flatMap(SourceTree.swiftFiles)
    for file in files where file.target != "SwiftletBase" {
      for module in Self.imports(file) where names.contains(module) {
        Issue.record("\(file.path) imports \(module); import SwiftletBase instead")
      }
    }
  }

  /// The modules a file imports, without submodules and single declarations.
  static func imports(_ file: SourceTree.File) -> [String] {
    file.lines.compactMap { line in
      var words = line.split(separator: " ")
      while let first = words.first,
        first.hasPrefix("@") || ["package", "public", "internal", "private", "fileprivate"].contains(first)
      {
        words.removeFirst()
      }
      guard words.first == "import" else { return nil }
      words.removeFirst()
      if let kind = words.first, ["struct", "enum", "class", "protocol", "func", "typealias", "var"].contains(kind) {
        words.removeFirst()
      }
      return words.first?.split(separator: ".").first.map(String.init)
    }
  }
}
