import Foundation
import SwiftletCommandLine
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

/// Checks that the commands in the documentation and the help exist in the program.
@Suite("Commands in the documentation")
struct DocumentedCommandTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var page: String
    var words: [String]

    var testDescription: String { page + ": swiftlet " + words.joined(separator: " ") }
  }

  /// All lines of code blocks without a language that call the program, without shell operators after the call.
  static let examples: [Example] =
    helpExamples
    + pages().flatMap { page in
      let text = (try? String(contentsOfFile: TestData.packagePath + "/" + page, encoding: .utf8)) ?? ""
      // Every second part is inside fences; its first line names the language.
      let blocks = text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      return blocks.filter { $0.hasPrefix("\n") || $0.hasPrefix("sh\n") }.flatMap { block in
        block.split(separator: "\n").compactMap { line in
          words(of: String(line)).map { Example(page: page, words: $0) }
        }
      }
    }

  /// The examples of the commands' help, some of which omit the name of the program.
  private static let helpExamples: [Example] = Program.declaration.commands.flatMap { command in
    command.examples.compactMap { example in
      let line = example.command.hasPrefix(command.name + " ") ? "swiftlet " + example.command : example.command
      return words(of: line).map { Example(page: "help of " + command.name, words: $0) }
    }
  }

  private static func pages() -> [String] {
    let root = TestData.packagePath
    let top = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let folders = ["docs", "Models", "Benchmarks", "Tools"].flatMap { folder in
      (FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String } ?? [])
        .map { folder + "/" + $0 }
    }
    return (top + folders).filter { $0.hasSuffix(".md") }.sorted()
  }

  /// Returns the arguments of `swiftlet` in a shell line, or `nil` if the line doesn't call it.
  private static func words(of line: String) -> [String]? {
    let words = line.split(separator: " ").map { String($0).trimmingCharacters(in: ["'", "\""]) }
    guard let name = words.firstIndex(where: { $0 == "swiftlet" || $0.hasSuffix("/release/swiftlet") }) else {
      return nil
    }
    // The program or its launcher must come first: in sentences and output, other words precede the name.
    let before = words[..<name]
    guard
      before.isEmpty || before.last == "|" || before.elementsEqual(["swift", "run", "-c", "release"])
        || before.elementsEqual(["$", "swift", "run", "-c", "release"]) || before.elementsEqual(["$"])
    else { return nil }
    return Array(words[(name + 1)...].prefix { !["|", ">", "#", "&&", ";", "2>&1"].contains($0) })
  }

  @Test("exist")
  func found() {
    #expect(Self.examples.count >= 15)
    #expect(
      Set(Self.examples.map(\.page)).isSuperset(of: ["README.md", "docs/guide/command-line.md", "help of demo"]))
  }

  @Test("are accepted by the program, and use models from the catalog", arguments: examples)
  func parsed(_ example: Example) throws {
    let name = try #require(example.words.first)
    guard name != "--version", name != "--help" else { return }
    let declaration = try Program.command(name).declaration
    let arguments = try Arguments(example.words.dropFirst(), for: declaration)
    var models = declaration.options.filter { $0.name == "model" }.compactMap { arguments.string($0.name) }
    if name == "models", arguments.action == "fetch" || arguments.action == "path" { models += arguments.operands }
    for model in models where !model.hasSuffix(".tflite") && !model.hasSuffix(".task") {
      #expect(ModelCatalog.model(named: model) != nil, "\(model) is no published model")
    }
  }
}
