import Testing

@testable import SwiftletCommandLine

@Suite("Layout of help, manual, and progress")
struct TextLayoutTests {
  // MARK: Tables

  @Test("text is wrapped between words if a line is too long, and stays unchanged if it fits")
  func wrapped() {
    #expect(
      TextTable.wrapped("one two", to: 7) == ["one two"] && TextTable.wrapped("one two", to: 6) == ["one", "two"])
    #expect(TextTable.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(TextTable.wrapped("one two three", to: 9) == ["one two", "three"])
    #expect(TextTable.wrapped("a longest b", to: 3) == ["a", "longest", "b"])
    #expect(TextTable.wrapped("", to: 0) == [""] && TextTable.wrapped("word", to: 1) == ["word"])
    #expect(TextTable.wrapped("one  two three", to: 9) == ["one  two", "three"])
  }

  @Test("a first cell of maximum length shares a line with the others, a longer one does not")
  func longestName() {
    let table = TextTable(longestName: 4)
    #expect(table.text([["name", "x"], ["n", "y"]]) == "  name  x\n  n     y\n")
    #expect(table.text([["names", "x"], ["n", "y"]]) == "  names\n        x\n  n     y\n")
    #expect(TextTable([.right]).text([["a", "x"], ["bcd", "y"]]) == "    a  x\n  bcd  y\n")
    #expect(
      TextTable([.left, .right, .left]).text([["a", "b", "c", "d"], ["aa", "bb", "cc", "d"]])
        == "  a    b  c   d\n  aa  bb  cc  d\n")
    #expect(TextTable().text([["a", "b"], ["one"]]) == "  a  b\n  one\n" && TextTable().text([]) == "")
  }

  @Test("the last column is wrapped if it has at least 24 columns", arguments: [(29, 3), (28, 1), (50, 1), (49, 2)])
  func narrow(width: Int, lines: Int) {
    // Indentation, name, and gap take five columns: lines of 45 characters or fewer.
    let help = "123456789 123456789 123456789 123456789 12345"
    let text = TextTable().text([["n", help]], width: width)
    #expect(text.split(separator: "\n").count == lines)
    #expect(text.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("     1") })
  }

  @Test("option names in help may have 34 characters, and paragraphs are at least 20 wide", arguments: [34, 35])
  func help(count: Int) {
    let option = OptionDeclaration.flag(String(repeating: "n", count: count - 2), "explained")
    let text = HelpText().command(CommandDeclaration(name: "c", summary: "s", options: [option]))
    #expect(text.contains("n  explained\n") == (count == 34))
    let words = "123456789 123456789 123456789"
    func lines(_ width: Int) -> [Substring] {
      HelpText(width: width).command(CommandDeclaration(name: "c", summary: words)).split(separator: "\n").dropFirst()
        .map(\.self)
    }
    #expect(lines(5) == ["123456789 123456789", "123456789"] && lines(29) == [Substring(words)])
    #expect(lines(28) == ["123456789 123456789", "123456789"])
    let example = HelpText(width: 30).command(
      CommandDeclaration(name: "c", summary: "s", examples: [Example("run", words)]))
    #expect(example.hasSuffix("examples:\n  123456789 123456789\n  123456789\n    run\n"))
  }

  @Test("the usage of a command has program, options, and operands if there are any")
  func usage() {
    func first(_ declaration: CommandDeclaration, _ program: String?) -> Substring? {
      HelpText().command(declaration, program: program).split(separator: "\n").first
    }
    let plain = CommandDeclaration(name: "c", summary: "s")
    #expect(first(plain, nil) == "usage: c" && first(plain, "p") == "usage: p c")
    let full = CommandDeclaration(name: "c", summary: "s", operands: "X…", options: [.flag("f", "h")])
    #expect(first(full, "p") == "usage: p c [OPTION…] X…")
    let program = ProgramDeclaration(
      name: "p", version: "1", date: "2026-01-01", summary: "does", commands: [plain, full])
    #expect(
      HelpText().overview(program)
        == "p: does\n\nusage: p COMMAND [OPTION…] [OPERAND…]\n\ncommands:\n  c     s\n  c X…  s\n\n"
        + "Run 'p help COMMAND' for the help of a command, and 'p --version' for the version.\n")
  }

  // MARK: Manual

  @Test("every character with a special meaning to the formatter is escaped")
  func roffText() {
    #expect(Roff.text(#"\-'"`^~"#) == #"\e\-\(aq\(dq\(ga\(ha\(ti"# && Roff.text("a\nb .") == "a b .")
    #expect(Roff.text("é…😀\u{7F}") == "\\[u00E9]\\[u2026]\\[u1F600]\u{7F}" && Roff.quoted("a\"") == "\"a\\(dq\"")
    #expect(Roff.line(".x") == "\\&.x\n" && Roff.line("x.") == "x.\n" && Roff.line("'x") == "\\(aqx\n")
  }

  @Test("lines of a manual page have up to 76 characters")
  func roffLines() {
    let word = String(repeating: "w", count: 38)
    #expect(Roff.filled(word + " " + word.dropFirst()) == word + " " + word.dropFirst() + "\n")
    #expect(Roff.filled(word + " " + word) == word + "\n" + word + "\n")
    #expect(Roff.filled(word + " ." + word) == word + "\n\\&." + word + "\n")
  }

  private func program(_ change: (inout ProgramDeclaration) -> Void = { _ in }) -> ProgramDeclaration {
    var program = ProgramDeclaration(
      name: "p", version: "1.0", date: "2026-01-01", summary: "does things",
      commands: [CommandDeclaration(name: "list", summary: "lists!", operands: "X")])
    change(&program)
    return program
  }

  private static let status =
    ".SH \"EXIT STATUS\"\n.TP\n.B 0\nAll was done.\n.TP\n.B 1\n"
    + "It failed, or a check did not hold: a model or image that cannot be read, a\nresult that differs.\n.TP\n.B 2\nWrong usage.\n"

  @Test("a page has no section without content")
  func sections() {
    let start =
      ".TH \"P\" 1 \"2026-01-01\" \"p 1.0\" \"User Commands\"\n.SH \"NAME\"\np \\- does things\n.SH \"SYNOPSIS\"\n"
      + ".B p\n.I COMMAND\n[\\fIOPTION\\fR\\[u2026]]\n[\\fIOPERAND\\fR\\[u2026]]\n"
    let commands =
      ".SH \"COMMANDS\"\n.SS \"list X\"\nLists!\n.SH \"OPTIONS OF EVERY COMMAND\"\n.TP\n.B \\-\\-help\nExplain the command.\n"
      + ".TP\n.B \\-\\-version\nTell the version.\n"
    #expect(ManualPage(program()).text == start + commands + Self.status)
    let described = ManualPage(program { $0.description = "One.\nTwo" }).text
    #expect(described == start + ".SH \"DESCRIPTION\"\nOne.\n.PP\nTwo\n" + commands + Self.status)
    let more = ManualPage(
      program {
        $0.environment = [.init("VAR", "variable?")]
        $0.files = [.init("~/f", "a file")]
        $0.commands[0].examples = [Example("p list a", "first"), Example("p list b", "second")]
        $0.commands[0].operands = ""
      }
    ).text
    #expect(more.contains(".SS \"list\"\n"))
    #expect(
      more.hasSuffix(
        Self.status + ".SH \"ENVIRONMENT\"\n.TP\n.B VAR\nVariable?\n.SH \"FILES\"\n.TP\n.B \\(ti/f\nA file.\n"
          + ".SH \"EXAMPLES\"\nfirst:\n.PP\n.RS 4\n.EX\np list a\n.EE\n.RE\n.PP\nsecond:\n.PP\n.RS 4\n.EX\np list b\n.EE\n.RE\n"
      ))
  }

  @Test("the page of a command has its usages, options, notes, and examples")
  func commandPages() {
    let head =
      ".TH \"P\\-LIST\" 1 \"2026-01-01\" \"p 1.0\" \"User Commands\"\n.SH \"NAME\"\np\\-list \\- lists!\n.SH \"SYNOPSIS\"\n"
    let end = ".SH \"SEE ALSO\"\n.BR p (1)\n"
    let plain = CommandDeclaration(name: "list", summary: "lists!", operands: "X")
    #expect(
      ManualPage(program()).text(of: plain)
        == head + ".B p list\nX\n.SH \"DESCRIPTION\"\nLists!\n" + Self.status + end)
    var full = CommandDeclaration(
      name: "list", summary: "lists!", actions: [.init("a", "does a"), .init("b", "does b", operands: "Y")],
      options: [.flag("f", "flag")], notes: "Note.", examples: [Example("p list a", "why")])
    #expect(
      ManualPage(program()).text(of: full)
        == head + ".B p list\n[\\fIOPTION\\fR\\[u2026]]\na\n.br\n.B p list\n[\\fIOPTION\\fR\\[u2026]]\nb Y\n"
        + ".SH \"DESCRIPTION\"\nLists!\n.TP\n.B a\nDoes a.\n.TP\n.B b Y\nDoes b.\n.TP\n.B \\-\\-f\nFlag.\n.PP\nNote.\n"
        + Self.status + ".SH \"EXAMPLES\"\nwhy:\n.PP\n.RS 4\n.EX\np list a\n.EE\n.RE\n" + end)
    full.actions = []
    full.operands = ""
    #expect(ManualPage(program()).text(of: full).contains(".B p list\n[\\fIOPTION\\fR\\[u2026]]\n.SH \"DESCRIPTION\""))
  }

  // MARK: Progress

  @Test("a bar has thirty characters, and bytes are rounded to tenths of a megabyte")
  func bars() {
    func bar(_ count: Int) -> String {
      String(repeating: "█", count: count) + String(repeating: "·", count: 30 - count)
    }
    #expect(ProgressBar.line("t", 0.5, "c") == "t \(bar(15)) c" && ProgressBar.line("t", 0.033, "c") == "t \(bar(0)) c")
    #expect(ProgressBar.line("t", 0.034, "c") == "t \(bar(1)) c" && ProgressBar.line("t", 1, "c") == "t \(bar(30)) c")
    let progress = ProgressBar("f", total: 1)
    #expect(progress.line(bytes: 49_999, of: nil) == "f \(bar(0)) 0.0 MB")
    #expect(progress.line(bytes: 50_000, of: nil) == "f \(bar(0)) 0.1 MB")
    #expect(progress.line(bytes: 12_349_999, of: nil) == "f \(bar(0)) 12.3 MB")
    #expect(
      progress.line(bytes: 1, of: 0) == "f \(bar(0)) 0.0 MB" && progress.line(bytes: 1, of: 1).contains("█ 0.0 MB of"))
    #expect(progress.line == "f \(bar(0)) 0/1")
  }

  @Test("a batch has a rate per second, limited by the available space")
  func rates() {
    var progress = BatchProgress("images", total: 2)
    for index in 0..<3 { progress.count(failed: index == 0) }
    let full = String(repeating: "█", count: 30)
    #expect(progress.line(after: .seconds(1)) == "images \(full) 3/2, 1 failed, 3.0 a second")
    #expect(progress.line(after: .milliseconds(400)) == "images \(full) 3/2, 1 failed, 7.5 a second")
    #expect(progress.line(after: .zero).hasSuffix(" 0.0 a second"))
    #expect(progress.line(after: .nanoseconds(1)).hasSuffix(" 3000000000.0 a second"))
    var none = BatchProgress("images", total: 0)
    none.count(failed: false)
    #expect(none.line(after: .seconds(2)) == "1 images, 0.5 a second" && none.failureCount == 0)
  }

  @Test("colors and bold use the standard control sequences")
  func styles() {
    #expect(
      TextStyle.ansi.red("x") == "\u{1B}[1;31mx\u{1B}[0m" && TextStyle.ansi.yellow("x") == "\u{1B}[1;33mx\u{1B}[0m")
    #expect(TextStyle.plain.bold("x") == "x" && TextStyle.plain.yellow("x") == "x" && TextStyle.ansi.bold("") == "")
    #expect(TextStyle.understandsControl("xterm") && !TextStyle.understandsControl("dumb"))
    #expect(!TextStyle.understandsControl("") && !TextStyle.understandsControl(nil))
  }

  @Test("statuses are 0, 1, and 2")
  func statuses() {
    struct Failure: Error {}
    #expect(ExitStatus.of { 0 } == 0 && ExitStatus.of { 1 } == 1 && ExitStatus.of { throw UsageError("u") } == 2)
    #expect(ExitStatus.of { throw Failure() } == 1 && ExitStatus.meanings.map(\.name) == ["0", "1", "2"])
    #expect(UsageError("words").description == "words")
    #expect(StandardStreams.InputFailure(reason: "r").description == "standard input: cannot be read: r")
  }
}
