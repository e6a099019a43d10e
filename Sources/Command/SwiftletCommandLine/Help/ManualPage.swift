/// Formats a page for `man`, in the macros of man(7), from the declarations that the help text uses.
package struct ManualPage {
  private let program: ProgramDeclaration

  package init(_ program: ProgramDeclaration) { self.program = program }

  /// The page of the entire program, with all its commands.
  package var text: String {
    var page = header(program.name)
    page += name(program.name, program.summary)
    page += section("SYNOPSIS")
    page += ".B \(Roff.text(program.name))\n.I COMMAND\n[\\fIOPTION\\fR\\[u2026]]\n[\\fIOPERAND\\fR\\[u2026]]\n"
    if !program.description.isEmpty { page += section("DESCRIPTION") + paragraphs(program.description) }
    page += section("COMMANDS")
    for command in program.commands {
      page +=
        ".SS \(Roff.quoted(([command.name] + (command.operands.isEmpty ? [] : [command.operands])).joined(separator: " ")))\n"
      page += sentence(command.summary)
      page += body(of: command)
    }
    page += section("OPTIONS OF EVERY COMMAND") + entries(ProgramDeclaration.commonOptions.map { ($0.usage, $0.help) })
    page += ending
    let examples = program.commands.flatMap(\.examples)
    if !examples.isEmpty { page += section("EXAMPLES") + self.examples(examples) }
    return page
  }

  /// Returns the page of one command, `PROGRAM-COMMAND`.
  package func text(of command: CommandDeclaration) -> String {
    let title = program.name + "-" + command.name
    var page = header(title) + name(title, command.summary)
    page += section("SYNOPSIS")
    let usages = command.actions.isEmpty ? [command.operands] : command.actions.map(\.usage)
    page += usages.map { usage in
      ".B \(Roff.text(program.name + " " + command.name))\n"
        + (command.options.isEmpty ? "" : "[\\fIOPTION\\fR\\[u2026]]\n")
        + (usage.isEmpty ? "" : Roff.line(usage))
    }.joined(separator: ".br\n")
    page += section("DESCRIPTION") + sentence(command.summary) + body(of: command) + ending
    if !command.examples.isEmpty { page += section("EXAMPLES") + examples(command.examples) }
    return page + section("SEE ALSO") + ".BR \(Roff.text(program.name)) (1)\n"
  }

  // MARK: Parts

  private func header(_ title: String) -> String {
    let footer = "\(program.name) \(program.version)"
    return
      ".TH \(Roff.quoted(title.uppercased())) 1 \"\(program.date)\" \(Roff.quoted(footer)) \(Roff.quoted("User Commands"))\n"
  }

  private func section(_ title: String) -> String { ".SH \(Roff.quoted(title))\n" }

  private func name(_ name: String, _ summary: String) -> String {
    section("NAME") + Roff.filled("\(name) - \(summary)")
  }

  private func body(of command: CommandDeclaration) -> String {
    var text =
      entries(command.actions.map { ($0.usage, $0.help) }) + entries(command.options.map { ($0.usage, $0.help) })
    if !command.notes.isEmpty { text += ".PP\n" + paragraphs(command.notes) }
    return text
  }

  /// The sections at the end of every page.
  private var ending: String {
    section("EXIT STATUS") + entries(ExitStatus.meanings.map { ($0.name, $0.help) })
      + (program.environment.isEmpty
        ? "" : section("ENVIRONMENT") + entries(program.environment.map { ($0.name, $0.help) }))
      + (program.files.isEmpty ? "" : section("FILES") + entries(program.files.map { ($0.name, $0.help) }))
  }

  private func entries(_ rows: [(name: String, help: String)]) -> String {
    rows.map { ".TP\n.B \(Roff.text($0.name))\n" + sentence($0.help) }.joined()
  }

  private func examples(_ examples: [Example]) -> String {
    examples.enumerated().map { index, example in
      (index == 0 ? "" : ".PP\n") + Roff.filled(example.help + ":") + ".PP\n.RS 4\n.EX\n" + Roff.line(example.command)
        + ".EE\n.RE\n"
    }.joined()
  }

  /// Returns a sentence fragment as a complete sentence.
  private func sentence(_ text: String) -> String {
    let whole = text.prefix(1).uppercased() + text.dropFirst()
    return Roff.filled([".", "!", "?"].contains { whole.hasSuffix($0) } ? whole : whole + ".")
  }

  private func paragraphs(_ text: String) -> String {
    text.split(separator: "\n").map { Roff.filled(String($0)) }.joined(separator: ".PP\n")
  }
}

/// Formats text for the `roff` typesetter.
enum Roff {
  /// The maximum length of lines that `roff` fills.
  private static let maximumLine = 76

  /// Returns text that `roff` fills into lines of its own, with a line end.
  static func filled(_ text: String) -> String {
    TextTable.wrapped(self.text(text), to: maximumLine).map(protected).joined()
  }

  /// Returns a line that `roff` doesn't change, with a line end.
  static func line(_ text: String) -> String { protected(self.text(text)) }

  /// Returns the line, escaped if it begins like a `roff` request.
  private static func protected(_ line: String) -> String {
    (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
  }

  /// Returns an argument of a macro.
  static func quoted(_ text: String) -> String { "\"" + self.text(text) + "\"" }

  /// Returns the text in ASCII, with all characters escaped that `roff` interprets.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\n": result += " "
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let hex = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "]"
      }
    }
    return result
  }
}
