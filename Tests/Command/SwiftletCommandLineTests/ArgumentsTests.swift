import SwiftletCommandLine
import Testing

@Suite("Arguments")
struct ArgumentsTests {
  static let declaration = CommandDeclaration(
    name: "paint", summary: "paints things", operands: "THING…", operandCount: 1...3,
    options: [
      .flag("json", "one document"), .value("threads", .integer(1...16), "how many"), .value("colour", "C", "which"),
      .value("input", .file(".npy"), as: "NAME=FILE", "what goes in", isRepeatable: true),
      .value("allow", "A,B", "names"),
      .value("shade", .choice(of: Shade.self), "how dark"), .value("share", .number(0...1), "how much"),
    ])

  enum Shade: String, CaseIterable { case light, deepDark = "deep-dark" }

  func parse(_ words: String...) throws(UsageError) -> Arguments { try Arguments(words, for: Self.declaration) }

  func message(_ words: String...) -> String {
    do {
      _ = try Arguments(words, for: Self.declaration)
      return ""
    } catch {
      return error.message
    }
  }

  @Test("takes values after a space and after an equals sign")
  func readsBothForms() throws {
    #expect(try parse("--threads", "4", "a").string("threads") == "4")
    #expect(try parse("a", "--threads=4").string("threads") == "4")
    #expect(try parse("a", "--colour=a=b").string("colour") == "a=b")
    #expect(try parse("a", "--colour=").string("colour") == "")
    #expect(try parse("a", "--colour", "--json").string("colour") == "--json")
  }

  @Test("distinguishes present and absent flags")
  func readsFlags() throws {
    #expect(try parse("a", "--json").flag("json"))
    #expect(try !parse("a").flag("json"))
    #expect(message("a", "--json=yes").contains("takes no value"))
  }

  @Test("keeps operands in order among options, including a lone dash")
  func readsOperands() throws {
    #expect(try parse("a", "--json", "-", "b").operands == ["a", "-", "b"])
  }

  @Test("treats everything after a lone -- as operands")
  func endsOptions() throws {
    let arguments = try parse("--json", "--", "--threads", "--", "x")
    #expect(arguments.operands == ["--threads", "--", "x"])
    #expect(arguments.flag("json") && arguments.string("threads") == nil)
  }

  @Test("rejects too few and too many operands")
  func countsOperands() {
    #expect(message().contains("THING…"))
    #expect(message("a", "b", "c", "d").contains("'d'"))
  }

  @Test(
    "suggests the most similar option",
    arguments: [
      ("--thread", "--threads"), ("--jsno", "--json"), ("--color", "--colour"), ("--alow", "--allow"),
      ("--th", "--threads"),
    ])
  func suggestsOptions(word: String, meant: String) {
    #expect(message("a", word).contains("did you mean \(meant)?"))
  }

  @Test("does not guess for words unlike every option", arguments: ["--velocity", "--", "--=3", "--é"])
  func doesNotGuess(word: String) {
    #expect(!message("a", word, "x", "y", "z").contains("did you mean"))
  }

  @Test("rejects short options, options without a value, and repeated options")
  func refusesMisuse() {
    #expect(message("a", "-j").contains("options are long"))
    #expect(message("a", "--threads").contains("needs a value"))
    #expect(message("a", "--threads", "1", "--threads", "2").contains("more than once"))
  }

  @Test("collects the values of a repeatable option in order")
  func repeatsOptions() throws {
    #expect(try parse("a", "--input", "x=1", "--input=y=2").strings("input") == ["x=1", "y=2"])
    #expect(try parse("a").strings("input") == [])
  }

  @Test("splits lists at commas")
  func splitsLists() throws {
    #expect(try parse("a", "--allow", "cat,traffic light").list("allow") == ["cat", "traffic light"])
    #expect(try parse("a", "--allow=,cat,").list("allow") == ["cat"])
    #expect(try parse("a").list("allow") == [])
  }

  @Test(
    "accepts integers only in their range",
    arguments: [
      "0", "17", "-1", "four", "4.0", "", " 4", "99999999999999999999", "0x4",
    ])
  func limitsIntegers(text: String) {
    #expect(message("a", "--threads=" + text) == "--threads takes a whole number from 1 to 16, got '\(text)'")
  }

  @Test("returns integers in range, and nil for an absent option")
  func readsIntegers() throws {
    #expect(try parse("a", "--threads=16").int("threads") == 16)
    #expect(try parse("a").int("threads") == nil)
  }

  @Test("accepts numbers only in their range", arguments: ["nan", "inf", "-0.1", "1.5", "half", ""])
  func limitsFloats(text: String) {
    #expect(message("a", "--share", text) == "--share takes a number from 0.0 to 1.0, got '\(text)'")
  }

  @Test("returns numbers in range", arguments: [("0", Float(0)), ("1", 1), ("0.25", 0.25), ("1e-3", 1e-3)])
  func readsFloats(text: String, value: Float) throws {
    #expect(try parse("a", "--share", text).float("share") == value)
  }

  @Test("errors about unlimited numbers state no limits")
  func openRanges() {
    let limit = Float.greatestFiniteMagnitude
    #expect(ValueKind.number(-limit...limit).problem(with: "high") == "takes a number, got 'high'")
    #expect(ValueKind.number(-limit...limit).problem(with: "-1e9") == nil)
    #expect(ValueKind.number(0.5...limit).problem(with: "0") == "takes a number from 0.5, got '0'")
    #expect(ValueKind.integer(1...Int.max).problem(with: "0") == "takes a whole number from 1, got '0'")
  }

  @Test("accepts one of the choices, and lists them otherwise")
  func limitsChoices() throws {
    #expect(try parse("a", "--shade", "deep-dark").choice("shade", as: Shade.self) == .deepDark)
    #expect(try parse("a").choice("shade", as: Shade.self) == nil)
    #expect(
      message("a", "--shade", "lihgt") == "--shade takes one of light, deep-dark, got 'lihgt'; did you mean light?")
    #expect(message("a", "--shade", "blue") == "--shade takes one of light, deep-dark, got 'blue'")
  }

  @Test("accepts operands only of their kind")
  func limitsOperands() throws {
    let declaration = CommandDeclaration(
      name: "write", summary: "writes", operands: "bash|zsh FILE…", operandCount: 1...3,
      operandKinds: [.choice(["bash", "zsh"]), .file()])
    #expect(try Arguments(["zsh", "bsah"], for: declaration).operands == ["zsh", "bsah"])
    let error = #expect(throws: UsageError.self) { try Arguments(["bsah"], for: declaration) }
    #expect(error?.message == "write takes one of bash, zsh, got 'bsah'; did you mean bash?")
  }

  @Test("distinguishes a command's action from its operands, among options")
  func readsActions() throws {
    let declaration = CommandDeclaration(
      name: "models", summary: "keeps",
      actions: [
        ActionDeclaration("list", "lists"),
        ActionDeclaration("fetch", "fetches", operands: "NAME…", operandCount: 1...2),
      ],
      options: [.value("from", .folder, "where")])
    let arguments = try Arguments(["--from", "x", "fetch", "a", "--", "--b"], for: declaration)
    #expect(arguments.action == "fetch" && arguments.operands == ["a", "--b"])
    #expect(try Arguments(["list"], for: declaration).action == "list")
    for (words, message) in [
      ([], "models takes list|fetch, nothing was given"),
      (["fecth", "a"], "models cannot 'fecth'; did you mean 'fetch'?"),
      (["remove"], "models cannot 'remove'; it can list, fetch"),
      (["fetch"], "models fetch takes NAME…, nothing was given"),
      (["list", "a"], "models list takes no operands, 1 were given: unexpected argument 'a'"),
      (["fetch", "a", "b", "c"], "models fetch takes NAME…, 3 were given: unexpected argument 'c'"),
    ] {
      let error = #expect(throws: UsageError.self) { try Arguments(words, for: declaration) }
      #expect(error?.message == message)
    }
  }
}
