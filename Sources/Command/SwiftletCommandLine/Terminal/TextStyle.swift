/// How text is set off: in bold and colour where a person looks at a terminal that has them, and not at all elsewhere.
package struct TextStyle: Sendable, Hashable {
  private let isStyled: Bool

  /// Leaves text as it is.
  package static let plain = TextStyle(isStyled: false)
  /// Sets it off with the control sequences of ECMA-48.
  package static let ansi = TextStyle(isStyled: true)

  /// For a stream: styled on a terminal, unless `NO_COLOR` is set to anything, or `TERM` says that the terminal knows
  /// no control sequences.
  package init(isTerminal: Bool, environment: (String) -> String?) {
    let wantsNone = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    self.init(isStyled: isTerminal && !wantsNone && Self.understandsControl(environment("TERM")))
  }

  private init(isStyled: Bool) { self.isStyled = isStyled }

  /// Whether a terminal of that name knows control sequences.
  static func understandsControl(_ terminal: String?) -> Bool { terminal.map { !$0.isEmpty && $0 != "dumb" } ?? false }

  package func bold(_ text: String) -> String { set(text, "1") }
  package func red(_ text: String) -> String { set(text, "1;31") }
  package func yellow(_ text: String) -> String { set(text, "1;33") }

  private func set(_ text: String, _ parameters: String) -> String {
    isStyled && !text.isEmpty ? "\u{1B}[\(parameters)m\(text)\u{1B}[0m" : text
  }
}
