/// A shell that can complete a program's command lines.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that teaches the shell the program's commands, options and values.
  package func completions(for program: ProgramDeclaration) -> String {
    switch self {
    case .bash: BashCompletion(program).text
    case .zsh: ZshCompletion(program).text
    case .fish: FishCompletion(program).text
    }
  }

  /// Text as one word of a shell's script, whatever is in it.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  /// The name of a function, from that of a program or command.
  static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// A suffix in both cases, letter by letter: `.[pP][nN][gG]`. The patterns of bash and zsh can do without options
  /// then.
  static func anyCase(_ suffix: String) -> String {
    suffix.map { letter in
      letter.isLetter ? "[\(letter.lowercased())\(letter.uppercased())]" : String(letter)
    }.joined()
  }
}
