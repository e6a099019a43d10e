/// Writes help from declarations, so that it cannot differ from what is parsed.
package enum HelpText {
  /// The help of one command of `program`; without it, of a program that is one command.
  package static func command(_ declaration: CommandDeclaration, program: String? = nil) -> String {
    var usage = "usage: " + (program.map { $0 + " " } ?? "") + declaration.name
    if !declaration.options.isEmpty { usage += " [OPTION…]" }
    if !declaration.operands.isEmpty { usage += " \(declaration.operands)" }
    var text = usage + "\n\n\(declaration.summary)\n"
    if !declaration.options.isEmpty {
      text += "\noptions:\n"
      text += table(
        declaration.options.map { option in
          ("--" + option.name + (option.valueName.map { " " + $0 } ?? ""), option.help)
        })
    }
    if !declaration.notes.isEmpty { text += "\n\(declaration.notes)\n" }
    return text
  }

  /// The list of commands.
  package static func overview(_ declarations: [CommandDeclaration], program: String, summary: String) -> String {
    """
    \(program): \(summary)

    usage: \(program) COMMAND [OPTION…] [OPERAND…]

    commands:
    \(table(declarations.map { ($0.name + ($0.operands.isEmpty ? "" : " " + $0.operands), $0.summary) }))
    '\(program) help COMMAND' explains a command, '\(program) --version' tells the version.
    """ + "\n"
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = min(34, rows.map(\.0.count).max() ?? 0)
    return rows.map { name, help in
      let pad =
        name.count > width
        ? "\n" + String(repeating: " ", count: width + 4) : String(repeating: " ", count: width - name.count + 2)
      return "  \(name)\(pad)\(help)\n"
    }.joined()
  }
}
