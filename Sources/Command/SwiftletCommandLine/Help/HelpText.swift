/// Formats help from the declarations that parsing uses, so that the two cannot differ.
package struct HelpText {
  private let style: TextStyle
  private let width: Int?

  /// Creates a formatter.
  ///
  /// - Parameters:
  ///   - style: The style of headings.
  ///   - width: The terminal width in columns, or `nil` for lines of any length.
  package init(style: TextStyle = .plain, width: Int? = nil) {
    self.style = style
    self.width = width
  }

  /// The formatter for standard output.
  package static var standard: HelpText {
    HelpText(style: StandardStreams.outputStyle, width: StandardStreams.outputWidth)
  }

  /// Returns the help of one command of `program`, or of a program with a single command if `program` is `nil`.
  package func command(_ declaration: CommandDeclaration, program: String? = nil) -> String {
    let name = (program.map { $0 + " " } ?? "") + declaration.name
    let options = declaration.options.isEmpty ? "" : " [OPTION…]"
    let usages = declaration.actions.isEmpty ? [declaration.operands] : declaration.actions.map(\.usage)
    let lines = usages.map { name + options + ($0.isEmpty ? "" : " " + $0) }
    var text =
      style.bold("usage:") + " " + lines.joined(separator: "\n       ") + "\n\n" + paragraphs(declaration.summary)
    text += section("actions:", declaration.actions.map { [$0.usage, $0.help] })
    text += section("options:", declaration.options.map { [$0.usage, $0.help] })
    if !declaration.notes.isEmpty { text += "\n" + paragraphs(declaration.notes) }
    if !declaration.examples.isEmpty {
      text += "\n" + style.bold("examples:") + "\n"
      text += declaration.examples.map { paragraphs($0.help, indentation: "  ") + "    \($0.command)\n" }.joined()
    }
    return text
  }

  /// Returns the list of commands.
  package func overview(_ program: ProgramDeclaration) -> String {
    let commands = program.commands.map { [$0.name + ($0.operands.isEmpty ? "" : " " + $0.operands), $0.summary] }
    return paragraphs("\(program.name): \(program.summary)")
      + "\n\(style.bold("usage:")) \(program.name) COMMAND [OPTION…] [OPERAND…]\n"
      + section("commands:", commands) + "\n"
      + paragraphs(
        "Run '\(program.name) help COMMAND' for the help of a command, and '\(program.name) --version' for the version."
      )
  }

  private func section(_ heading: String, _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    return "\n" + style.bold(heading) + "\n" + TextTable(longestName: 34).text(rows, width: width)
  }

  private func paragraphs(_ text: String, indentation: String = "") -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      TextTable.wrapped(String(paragraph), to: width.map { max(20, $0 - indentation.count) } ?? .max)
    }.map { indentation + $0 + "\n" }.joined()
  }
}
