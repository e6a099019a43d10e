import Foundation
import SwiftletTestSupport
import Testing

@Suite("Manual pages")
struct ManualPageTests {
  private static func path(of program: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + program }.first(
      where: FileManager.default.isExecutableFile)
  }

  private static let commands: [String?] = [
    nil, "inspect", "run", "verify", "bench", "detect-objects", "detect-faces", "segment", "embed", "classify",
    "classify-audio", "classify-text", "embed-text", "detect-language", "track",
    "models", "completions", "help",
  ]

  private func page(_ command: String?) throws -> String {
    let result = try Tool.run(["help", "--man"] + (command.map { [$0] } ?? []))
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    return result.output
  }

  @Test("pass mandoc's checker", .enabled(if: path(of: "mandoc") != nil, "mandoc is needed"), arguments: commands)
  func mandoc(command: String?) throws {
    let result = try Tool.run(
      ["-Tlint"], input: Array(page(command).utf8), program: try #require(Self.path(of: "mandoc")))
    #expect(result.status == 0 && result.output.isEmpty && result.error.isEmpty, "\(result.output)\(result.error)")
  }

  @Test(
    "are formatted by groff without a warning", .enabled(if: path(of: "groff") != nil, "groff is needed"),
    arguments: commands)
  func groff(command: String?) throws {
    let result = try Tool.run(
      ["-ww", "-man", "-Tutf8", "-P-cbou"], input: Array(page(command).utf8),
      program: try #require(Self.path(of: "groff")))
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    // Lines are justified to the page width, so compare words only.
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(command.map { "swiftlet-" + $0 } ?? "swiftlet - run .tflite models"))
  }

  @Test(
    "contain all commands, options, and their values, as help does",
    .enabled(if: path(of: "groff") != nil, "groff is needed"))
  func complete() throws {
    let arguments = ["-man", "-Tutf8", "-P-cbou", "-rLL=160n"]
    let text = try Tool.run(arguments, input: Array(page(nil).utf8), program: try #require(Self.path(of: "groff")))
      .output
    for command in Self.commands.compactMap({ $0 }) {
      let help = try Tool.run("help", command).output
      let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }.compactMap {
        $0.dropFirst(2).split(separator: "  ").first
      }
      #expect(text.contains("\n   \(command)"))
      for option in options { #expect(text.contains("       \(option)"), "\(command) \(option)") }
    }
    for heading in ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"] { #expect(text.contains("\n\(heading)\n")) }
  }

  @Test("list every environment variable that the sources read")
  func environment() throws {
    let text = try page(nil).replacing("\\-", with: "-")
    let read = try Regex(#"(?:getenv|environment|variable)[\[(]"([A-Z_]+)"[\])]"#)
    var names: Set<String> = []
    let root = TestData.packagePath + "/Sources"
    for name in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
    where name.hasSuffix(".swift") {
      let source = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
      names.formUnion(source.matches(of: read).compactMap { $0.output[1].substring.map(String.init) })
    }
    #expect(names.isSuperset(of: ["NO_COLOR", "TERM", "SWIFTLET_MODELS", "XDG_DATA_HOME", "SWIFTLET_ISA"]))
    for name in names { #expect(text.contains(".B \(name)\n"), "\(name)") }
  }

  @Test("reject an unknown command")
  func unknownCommand() throws {
    let result = try Tool.run("help", "--man", "bnech")
    #expect(result.status == 2 && result.error.contains("did you mean 'bench'?"))
  }
}
