import SwiftletTestSupport
import Testing

@Suite("Program")
struct ProgramTests {
  @Test("explains itself and its commands")
  func help() throws {
    for arguments in [["help"], ["--help"]] {
      let result = try Tool.run(arguments)
      #expect(result.status == 0)
      for command in [
        "inspect", "run", "verify", "bench", "detect-faces", "detect-objects", "segment", "embed", "classify",
        "classify-audio", "classify-text", "embed-text", "detect-language", "track",
        "models", "completions", "help",
      ] {
        #expect(result.output.contains(command))
      }
    }
    for arguments in [["help", "bench"], ["bench", "--help"]] {
      let result = try Tool.run(arguments)
      #expect(result.status == 0 && result.output.contains("--runs N"))
    }
    #expect(try Tool.run("--version").output.hasPrefix("swiftlet "))
    #expect(try Tool.run("inspect", "--version").status == 0)
  }

  /// With fewer descriptors, Dispatch would terminate the program with a trap.
  @Test("reports if it cannot open four files besides the standard streams", arguments: [4, 6, 7])
  func openFiles(limit: Int) throws {
    let program = Tool.path(of: "swiftlet")
    let result = try Tool.run(
      ["-c", "ulimit -n \(limit) && exec \"$0\" classify-text hello", program], program: "/bin/sh")
    if limit < 7 {
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.error.hasPrefix("error: the program cannot open 4 more files: "))
      #expect(result.error.hasSuffix("; raise the limit, as with ulimit -n 64\n"))
    } else {
      #expect(result.status == 0)
    }
  }

  @Test(
    "reports wrong usage with status 2 and one helpful line",
    arguments: [
      (["bnech"], "did you mean 'bench'"), (["bench"], "MODEL"), (["bench", "x", "--rnus", "3"], "--runs"),
      (["bench", "x", "--runs"], "--runs needs a value"), (["bench", "x", "--runs", "many"], "'many'"),
      (["bench", "x", "--runs", "0"], "from 1"), (["inspect", "x", "--json=yes"], "takes no value"),
      (["inspect", "a", "b"], "unexpected argument 'b'"), (["bench", "x", "--numerics", "exact"], "bit-exact"),
      (["detect-faces", "x.png", "--model", ""], "--model must not be empty"),
      (["detect-faces", "--model", "m"], "at least one image"),
      (["detect-faces", "x.png", "--model", "m", "--rotate", "45"], "0, 90, 180, 270"),
      (["run", "m"], "--output-dir"), (["inspect", "-x"], "options are long"),
      (["embed-text", "x"], "--model is required"), (["classify-text", "--model", "m"], "at least one text"),
      (["embed-text", "--model", "m", "-", "-"], "given twice"),
      (["embed-text", "--model", "m", "a", "--compare"], "two texts, got 1"),
      (["models"], "list|fetch|path"), (["models", "lsit"], "did you mean 'list'"),
      (["models", "fetch"], "models fetch takes NAME…"),
      (["models", "fetch", "efficientdet-lte0"], "did you mean 'efficientdet-lite0'"),
      (["models", "path"], "models path takes NAME,"),
      (["models", "list", "--from", "x"], "models fetch"),
      (["models", "fetch", "deeplab-v3", "--from", "https://"], "--from takes"),
      (["detect-objects", "x.png", "--model", "m", "--allow", "a", "--deny", "b"], "are mutually exclusive"),
    ] as [([String], String)])
  func usage(arguments: [String], hint: String) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("error: ") && result.error.split(separator: "\n").count == 1)
    #expect(result.error.contains(hint), "\(result.error)")
  }

  @Test("everything after a lone -- is an operand")
  func endOfOptions() throws {
    let result = try Tool.run("inspect", "--", "--help")
    #expect(result.status == 1 && result.error.contains("--help"))
  }

  @Test(
    "reports invalid files with status 1 and one line that names them",
    arguments: [
      "inspect", "bench", "verify", "detect-faces", "detect-objects", "segment", "embed", "classify", "classify-audio",
      "run",
    ])
  func badFiles(command: String) throws {
    let folder = try TemporaryFolder()
    let text = try folder.write(Array("not a model, not an image\nat all".utf8), to: "file.tflite")
    let empty = try folder.write([], to: "empty")
    for file in [text, empty, folder.path("missing\nfile"), folder.path(".")] {
      var arguments = [command, file]
      if command.hasPrefix("detect") || command == "classify-audio" || TinyTask(rawValue: command) != nil {
        arguments += ["--model", file]
      }
      if command == "run" { arguments += ["--output-dir", folder.path("out")] }
      let result = try Tool.run(arguments)
      #expect(result.status == 1, "\(arguments): \(result.error)")
      #expect(result.output.isEmpty)
      #expect(result.error.hasPrefix("error: "))
      #expect(result.error.split(separator: "\n", omittingEmptySubsequences: false).count == 2, "\(result.error)")
    }
  }
}
