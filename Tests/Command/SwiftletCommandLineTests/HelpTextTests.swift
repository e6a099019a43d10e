import SwiftletCommandLine
import Testing

@Suite("Help text")
struct HelpTextTests {
  private let help = HelpText()

  @Test("shows every option with its value and its explanation")
  func showsOptions() {
    let text = help.command(ArgumentsTests.declaration, program: "swiftlet")
    #expect(text.hasPrefix("usage: swiftlet paint [OPTION…] THING…\n\npaints things\n"))
    for option in ArgumentsTests.declaration.options {
      let line = text.split(separator: "\n").first { $0.hasPrefix("  --\(option.name)") }
      #expect(line?.hasSuffix(option.help) == true)
      if let value = option.valueName { #expect(line?.contains("--\(option.name) \(value)") == true) }
    }
  }

  @Test("omits sections that a command doesn't have")
  func omitsAbsentParts() {
    let text = help.command(CommandDeclaration(name: "list", summary: "lists"), program: "p")
    #expect(text == "usage: p list\n\nlists\n")
  }

  @Test("puts notes last")
  func showsNotes() {
    let text = help.command(CommandDeclaration(name: "list", summary: "lists", notes: "Mind this."), program: "p")
    #expect(text.hasSuffix("\nMind this.\n"))
  }

  @Test("breaks the line after a name that is too long for its column")
  func wrapsLongNames() {
    let option = OptionDeclaration.value("a-very-long-option-name", "AND-A-LONG-VALUE-NAME", "explained")
    let text = help.command(CommandDeclaration(name: "c", summary: "s", options: [option]), program: "p")
    let lines = text.split(separator: "\n")
    #expect(lines.contains("  --a-very-long-option-name AND-A-LONG-VALUE-NAME"))
    #expect(lines.last?.hasSuffix("explained") == true && lines.last?.hasPrefix("    ") == true)
  }

  @Test("lists every command with its summary")
  func listsCommands() {
    let text = help.overview(SampleProgram.declaration)
    #expect(text.hasPrefix("sample: does things\n"))
    #expect(text.contains("  paint THING…       paints things\n"))
    #expect(text.contains("  models list|fetch  keeps models\n"))
    #expect(text.contains("sample help COMMAND"))
  }

  @Test("shows the values of an option, the actions, and the examples")
  func showsDeclaredValues() {
    #expect(help.command(ArgumentsTests.declaration).contains("  --shade light|deep-dark  how dark\n"))
    let text = help.command(SampleProgram.models, program: "sample")
    #expect(text.hasPrefix("usage: sample models [OPTION…] list\n       sample models [OPTION…] fetch NAME…\n"))
    #expect(text.contains("\nactions:\n  list         lists; 'all' of them\n  fetch NAME…  gets them\n"))
    #expect(text.hasSuffix("\nexamples:\n  gets a model\n    sample models fetch a\n"))
  }

  @Test("prints headings in bold if requested, and nothing else")
  func setsHeadings() {
    let text = HelpText(style: .ansi).command(SampleProgram.models)
    for heading in ["usage:", "actions:", "options:", "examples:"] {
      #expect(text.contains("\u{1B}[1m\(heading)\u{1B}[0m"))
    }
    #expect(text.split(separator: "\u{1B}[1m").count == 4)
    #expect(!help.command(SampleProgram.models).contains("\u{1B}"))
  }

  @Test("wraps lines at the terminal width, aligned with the column")
  func breaksLines() {
    let option = OptionDeclaration.flag("wide", "one two three four five six seven eight nine ten eleven twelve")
    let text = HelpText(width: 40).command(CommandDeclaration(name: "c", summary: "s", options: [option]))
    #expect(
      text.hasSuffix("  --wide  one two three four five six\n          seven eight nine ten eleven\n          twelve\n")
    )
    #expect(
      HelpText(width: 12).command(CommandDeclaration(name: "c", summary: "s", options: [option])).contains(option.help),
      "too narrow to break")
  }
}

@Suite("Text table")
struct TextTableTests {
  @Test("aligns columns to the left or right, with the last one free")
  func aligns() {
    let table = TextTable([.left, .right], indentation: "")
    #expect(table.text([["a", "10", "x"], ["long", "5", "yy"]]) == "a     10  x\nlong   5  yy\n")
    #expect(table.lines([["a", "b"], []]) == ["a  b\n", "\n"])
  }
}

@Suite("Text style")
struct TextStyleTests {
  private func style(_ isTerminal: Bool, _ environment: [String: String]) -> TextStyle {
    TextStyle(isTerminal: isTerminal, environment: { environment[$0] })
  }

  @Test("styles text only on terminals, and respects the user's settings")
  func terminalsOnly() {
    #expect(style(true, ["TERM": "xterm"]) == .ansi)
    #expect(style(true, ["TERM": "xterm", "NO_COLOR": ""]) == .ansi, "an empty variable counts as none")
    for (isTerminal, environment) in [
      (false, ["TERM": "xterm"]), (true, ["TERM": "dumb"]), (true, [:]), (true, ["TERM": ""]),
      (true, ["TERM": "xterm", "NO_COLOR": "1"]),
    ] {
      #expect(style(isTerminal, environment) == .plain)
    }
  }

  @Test("closes every style, and adds nothing around empty text")
  func ends() {
    #expect(TextStyle.ansi.bold("x") == "\u{1B}[1mx\u{1B}[0m")
    #expect(TextStyle.ansi.red("error:").hasSuffix("\u{1B}[0m") && TextStyle.ansi.yellow("") == "")
    #expect(TextStyle.plain.red("x") == "x")
  }
}
