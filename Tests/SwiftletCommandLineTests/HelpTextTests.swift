import SwiftletCommandLine
import Testing

@Suite("Help text")
struct HelpTextTests {
  @Test("shows every option with its value and its explanation")
  func showsOptions() {
    let text = HelpText.command(ArgumentsTests.declaration, program: "swiftlet")
    #expect(text.hasPrefix("usage: swiftlet paint [OPTION…] THING…\n\npaints things\n"))
    for option in ArgumentsTests.declaration.options {
      let line = text.split(separator: "\n").first { $0.hasPrefix("  --\(option.name)") }
      #expect(line?.hasSuffix(option.help) == true)
      if let value = option.valueName { #expect(line?.contains("--\(option.name) \(value)") == true) }
    }
  }

  @Test("leaves out what a command does not have")
  func omitsAbsentParts() {
    let text = HelpText.command(CommandDeclaration(name: "list", summary: "lists"), program: "p")
    #expect(text == "usage: p list\n\nlists\n")
  }

  @Test("puts notes last")
  func showsNotes() {
    let text = HelpText.command(CommandDeclaration(name: "list", summary: "lists", notes: "Mind this."), program: "p")
    #expect(text.hasSuffix("\nMind this.\n"))
  }

  @Test("breaks the line after a name that is too long for its column")
  func wrapsLongNames() {
    let option = OptionDeclaration.value("a-very-long-option-name", "AND-A-LONG-VALUE-NAME", "explained")
    let text = HelpText.command(CommandDeclaration(name: "c", summary: "s", options: [option]), program: "p")
    let lines = text.split(separator: "\n")
    #expect(lines.contains("  --a-very-long-option-name AND-A-LONG-VALUE-NAME"))
    #expect(lines.last?.hasSuffix("explained") == true && lines.last?.hasPrefix("    ") == true)
  }

  @Test("lists every command with its summary")
  func listsCommands() {
    let text = HelpText.overview([ArgumentsTests.declaration], program: "p", summary: "does things")
    #expect(text.hasPrefix("p: does things\n"))
    #expect(text.contains("  paint THING…  paints things\n"))
    #expect(text.contains("p help COMMAND"))
  }
}
