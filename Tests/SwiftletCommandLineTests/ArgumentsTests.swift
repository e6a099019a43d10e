import SwiftletCommandLine
import Testing

@Suite("Arguments")
struct ArgumentsTests {
  static let declaration = CommandDeclaration(
    name: "paint", summary: "paints things", operands: "THING…", operandCount: 1...3,
    options: [
      .flag("json", "one document"), .value("threads", "N", "how many"), .value("colour", "C", "which"),
      .value("input", "NAME=FILE", "what goes in", isRepeatable: true), .value("allow", "A,B", "names"),
    ])

  enum Colour: String, CaseIterable { case red, green, darkBlue = "dark-blue" }

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

  @Test("tells flags that are given from those that are not")
  func readsFlags() throws {
    #expect(try parse("a", "--json").flag("json"))
    #expect(try !parse("a").flag("json"))
    #expect(message("a", "--json=yes").contains("takes no value"))
  }

  @Test("keeps operands in order among options, and takes a lone dash as one")
  func readsOperands() throws {
    #expect(try parse("a", "--json", "-", "b").operands == ["a", "-", "b"])
  }

  @Test("takes everything after a lone -- as operands")
  func endsOptions() throws {
    let arguments = try parse("--json", "--", "--threads", "--", "x")
    #expect(arguments.operands == ["--threads", "--", "x"])
    #expect(arguments.flag("json") && arguments.string("threads") == nil)
  }

  @Test("refuses too few and too many operands")
  func countsOperands() {
    #expect(message().contains("THING…"))
    #expect(message("a", "b", "c", "d").contains("'d'"))
  }

  @Test(
    "suggests the option that was probably meant",
    arguments: [
      ("--thread", "--threads"), ("--jsno", "--json"), ("--color", "--colour"), ("--alow", "--allow"),
      ("--th", "--threads"),
    ])
  func suggestsOptions(word: String, meant: String) {
    #expect(message("a", word).contains("did you mean \(meant)?"))
  }

  @Test("does not guess for words that are far from every option", arguments: ["--velocity", "--", "--=3", "--é"])
  func doesNotGuess(word: String) {
    #expect(!message("a", word, "x", "y", "z").contains("did you mean"))
  }

  @Test("refuses short options, options without their value and options given twice")
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
    "takes whole numbers in their range only",
    arguments: [
      "0", "17", "-1", "four", "4.0", "", " 4", "99999999999999999999", "0x4",
    ])
  func limitsIntegers(text: String) throws {
    let arguments = try parse("a", "--threads=" + text)
    let error = #expect(throws: UsageError.self) { try arguments.int("threads", in: 1...16) }
    #expect(error?.message.contains("--threads") == true && error?.message.contains("1 to 16") == true)
  }

  @Test("gives whole numbers in range, and nothing for an absent option")
  func readsIntegers() throws {
    #expect(try parse("a", "--threads=16").int("threads", in: 1...16) == 16)
    #expect(try parse("a").int("threads", in: 1...16) == nil)
  }

  @Test("takes numbers in their range only", arguments: ["nan", "inf", "-0.1", "1.5", "half", ""])
  func limitsFloats(text: String) throws {
    let arguments = try parse("a", "--colour=" + text)
    #expect(throws: UsageError.self) { try arguments.float("colour", in: 0...1) }
  }

  @Test("gives numbers in range", arguments: [("0", Float(0)), ("1", 1), ("0.25", 0.25), ("1e-3", 1e-3)])
  func readsFloats(text: String, value: Float) throws {
    #expect(try parse("a", "--colour", text).float("colour", in: 0...1) == value)
  }

  @Test("takes one of the choices and lists them otherwise")
  func limitsChoices() throws {
    #expect(try parse("a", "--colour", "dark-blue").choice("colour", as: Colour.self) == .darkBlue)
    #expect(try parse("a").choice("colour", as: Colour.self) == nil)
    let arguments = try parse("a", "--colour", "grene")
    let error = #expect(throws: UsageError.self) { try arguments.choice("colour", as: Colour.self) }
    #expect(error?.message.contains("red, green, dark-blue") == true)
    #expect(error?.message.contains("did you mean green?") == true)
  }
}
