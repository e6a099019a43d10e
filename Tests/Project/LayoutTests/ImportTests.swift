import Testing

@Suite("Imports")
struct ImportTests {
  /// The build itself rejects an import of a module that Package.swift doesn't list as a dependency.
  @Test("modules below the tasks don't import Foundation")
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

  /// A static program with all of Foundation, including its localization data, is three times as large.
  @Test("tasks import only FoundationEssentials")
  func essentialFoundation() {
    let files = ["Sources/Images", "Sources/Tasks"].flatMap(SourceTree.swiftFiles)
      .filter { $0.target != "SwiftletModelStore" }
    #expect(files.count > 100)
    for file in files where !Self.takesEssentialsOnly(file.text) {
      Issue.record("\(file.path) imports Foundation where there is FoundationEssentials")
    }
  }

  @Test(
    "imports of Foundation count unless FoundationEssentials is missing",
    arguments: [
      ("import Swiftlet\n", true), ("import Foundation\n", false), ("public import FoundationNetworking\n", false),
      (
        "#if canImport(FoundationEssentials)\n  import FoundationEssentials\n#else\n  import Foundation\n#endif\n", true
      ),
      ("#if canImport(Glibc)\n  import Glibc\n#else\n  import Foundation\n#endif\n", false),
      (
        "#if canImport(FoundationEssentials)\n  import FoundationEssentials\n#else\n  import Foundation\n#endif\n"
          + "import class Foundation.Bundle\n", false
      ),
    ])
  func findsFoundation(text: String, isEssential: Bool) {
    #expect(Self.takesEssentialsOnly(text) == isEssential)
  }

  /// Returns whether a file imports Foundation only if FoundationEssentials isn't available.
  private static func takesEssentialsOnly(_ text: String) -> Bool {
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.indices.allSatisfy { index in
      let found = imports(SourceTree.File(path: "", text: String(lines[index])))
      guard found.contains(where: { $0.hasPrefix("Foundation") && $0 != "FoundationEssentials" }) else { return true }
      return found == ["Foundation"] && index >= 3 && lines[index - 1] == "#else"
        && lines[index - 3] == "#if canImport(FoundationEssentials)"
    }
  }

  @Test("clients in Swift 5 mode import every facade")
  func swiftFiveClients() throws {
    let products = try SourceTree.modules(where: "isProduct: true")
    let facades = Set(SourceTree.swiftFiles(in: "Sources/Facades").map(\.target)).intersection(products)
    #expect(facades.count > 10)
    let clients = SourceTree.swiftFiles(in: "Tests/Facades/SwiftFiveClientTests")
      .filter { !$0.path.hasSuffix("Tests.swift") }
    let named = Set(clients.flatMap(Self.imports))
    #expect(facades.subtracting(named).isEmpty, "no client imports these")
  }

  /// `Tools/facade-package/check` shows that facades need nothing else than these and the public API.
  @Test("facades reach exactly the declarations on the page about the public API")
  func facadeDeclarations() throws {
    let page = try SourceTree.text("docs/public-api.md")
    let marked = try Regex(
      #"@_spi\(Facades\)\s+(?:(?:public|final|convenience|static)\s+)*(?:(?:enum|struct|class|protocol|typealias|let|var|func)\s+(\w+)|(init\()|extension\s+\w+)"#
    )
    var names: Set<String> = []
    for file in SourceTree.swiftFiles(in: "Sources") {
      for match in file.text.matches(of: marked) {
        guard let name = match.output[1].substring ?? match.output[2].substring else { continue }
        names.insert(String(name))
        if page.firstRange(of: "`\(name)") == nil && page.firstRange(of: ".\(name)") == nil {
          Issue.record("\(file.path): docs/public-api.md does not list \(name)")
        }
      }
    }
    #expect(names.isSuperset(of: ["ImageSource", "HTTPClient", "declaredEnds", "init("]))
    #expect(names.count >= 20)
  }

  @Test("only one module imports the platform's C library")
  func oneCLibrary() {
    let names: Set = ["Glibc", "Musl", "Android", "Darwin"]
    let files = ["Sources", "Benchmarks", "Tests", "Tools"].flatMap(SourceTree.swiftFiles)
    for file in files where file.target != "SwiftletBase" {
      for module in Self.imports(file) where names.contains(module) {
        Issue.record("\(file.path) imports \(module); import SwiftletBase instead")
      }
    }
  }

  /// Returns the modules that a file imports, without submodules and single declarations.
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
