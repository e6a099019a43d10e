import SwiftletCommandLine
import Testing

@Suite("Manual page")
struct ManualPageTests {
  private let page = ManualPage(SampleProgram.declaration)

  @Test("has every command, action, option, status, variable, file, and example")
  func complete() {
    let text = page.text
    #expect(
      text.hasPrefix(
        ".TH \"SAMPLE\" 1 \"2026-01-31\" \"sample 1.2\" \"User Commands\"\n.SH \"NAME\"\nsample \\- does things\n"))
    for section in ["SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"] {
      #expect(text.contains(".SH \"\(section)\"\n"))
    }
    for command in SampleProgram.declaration.commands {
      #expect(text.contains(".SS \"\(command.name)"))
      for option in command.options { #expect(text.contains(".B \\-\\-\(option.name)"), "\(option.name)") }
    }
    for line in ["fetch NAME\\[u2026]", "0", "1", "2", "NO_COLOR", "\\(ti/x"] {
      #expect(text.contains(".TP\n.B \(line)\n"), "\(line)")
    }
    #expect(text.contains(".EX\nsample models fetch a\n.EE\n"))
  }

  @Test("escapes text so that none of it is a request or an escape")
  func escapes() {
    let text = page.text
    #expect(text.contains("\n\\&.Mind this.\n.PP\nAnd that.\n"))
    #expect(text.contains("A \\e copy [of: them].\n"))
    #expect(text.contains("Lists; \\(aqall\\(aq of them.\n"))
    #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("has a page per command, which refers to the program's page")
  func commandPage() {
    let text = page.text(of: SampleProgram.models)
    #expect(text.hasPrefix(".TH \"SAMPLE\\-MODELS\" 1 "))
    #expect(text.contains("\nsample\\-models \\- keeps models\n"))
    #expect(text.hasSuffix(".SH \"SEE ALSO\"\n.BR sample (1)\n"))
    #expect(!text.contains("paint"))
  }
}
