import Foundation
import SwiftletTestSupport
import Testing

@Suite("Terminals")
struct TerminalTests {
  private static let escape = "\u{1B}"

  @Test("errors are red and headings bold on a terminal", .enabled(if: Terminal.isAvailable))
  func styled() throws {
    #expect(
      try Terminal.text(of: ["bnech"], environment: [:]).hasPrefix(
        "\u{1B}[1;31merror:\u{1B}[0m usage: unknown command 'bnech'"))
    for arguments in [["help"], ["help", "bench"], ["bench", "--help"], []] {
      #expect(try Terminal.text(of: arguments, environment: [:]).contains("\u{1B}[1musage:\u{1B}[0m"), "\(arguments)")
    }
    #expect(try Terminal.text(of: ["models", "list"], environment: [:]).hasPrefix("\u{1B}[1mdetect-faces\u{1B}[0m"))
  }

  @Test(
    "there is no color if NO_COLOR or the terminal forbids it", .enabled(if: Terminal.isAvailable),
    arguments: [["NO_COLOR": "1"], ["NO_COLOR": "yes", "TERM": "xterm-256color"], ["TERM": "dumb"], ["TERM": ""]])
  func unstyled(environment: [String: String]) throws {
    for arguments in [["bnech"], ["help", "track"], ["models", "list"]] {
      let seen = try Terminal.text(of: arguments, environment: environment)
      #expect(!seen.isEmpty && !seen.contains(Self.escape), "\(seen)")
    }
  }

  @Test("there is no color in a file, even next to a terminal", .enabled(if: Terminal.isAvailable))
  func redirected() throws {
    let folder = try TemporaryFolder()
    let seen = try Terminal.text(of: ["bnech"], environment: [:], redirection: "2>\(folder.path("err"))")
    #expect(seen.isEmpty)
    #expect(try String(contentsOfFile: folder.path("err"), encoding: .utf8).hasPrefix("error: usage:"))
    #expect(try Terminal.text(of: ["help"], environment: [:], redirection: ">\(folder.path("out"))").isEmpty)
    let help = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
    #expect(help.contains("usage: swiftlet") && !help.contains(Self.escape))
  }

  @Test("there is no control byte in a pipe, for any environment")
  func piped() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.classify.write(to: folder), image = try FlagImage.write(to: folder)
    for arguments in [
      ["help"], ["help", "track"], ["bnech"], ["models", "list"], ["models", "lsit"], [], ["inspect", model],
      ["bench", model, "--runs", "1", "--profile"],
      ["classify", image, "--model", model], ["classify", "none.png", "--model", model],
    ] {
      let result = try Tool.run(
        arguments,
        environment: ["TERM": "xterm-256color", "CLICOLOR_FORCE": "1", "SWIFTLET_MODELS": folder.path("store")])
      #expect(!(result.output + result.error).contains { $0.isASCII && $0 < " " && $0 != "\n" }, "\(arguments)")
      #expect(!(result.output + result.error).isEmpty)
    }
  }

  @Test("help is wrapped at the terminal width", .enabled(if: Terminal.isAvailable))
  func wraps() throws {
    let narrow = try Terminal.text(of: ["help", "track"], environment: ["TERM": "dumb"], columns: 70)
    let lines = narrow.split(whereSeparator: \.isNewline)
    #expect(lines.count > 40 && lines.allSatisfy { $0.count <= 70 }, "\(lines.filter { $0.count > 70 })")
    let file = try Tool.run("help", "track").output
    #expect(
      narrow.split(whereSeparator: \.isWhitespace) == file.split(whereSeparator: \.isWhitespace), "the same words")
  }
}
