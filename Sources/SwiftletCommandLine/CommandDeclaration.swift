/// What a command takes: the source of its parsing, its help text and its error messages.
package struct CommandDeclaration: Sendable {
  package var name: String
  /// One line for the list of commands.
  package var summary: String
  /// What follows the name in the usage line: `MODEL [INPUT…]`.
  package var operands: String
  /// How many operands there must be.
  package var operandCount: ClosedRange<Int>
  package var options: [OptionDeclaration]
  /// More to say below the options.
  package var notes: String

  package init(
    name: String, summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    options: [OptionDeclaration] = [], notes: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.options = options
    self.notes = notes
  }
}

/// A long option of a command.
package struct OptionDeclaration: Sendable {
  /// Without the dashes.
  package var name: String
  /// What stands for the value in the help text; `nil` for a flag.
  package var valueName: String?
  package var help: String
  /// Whether the option may be given several times.
  package var isRepeatable: Bool

  private init(name: String, valueName: String?, help: String, isRepeatable: Bool) {
    self.name = name
    self.valueName = valueName
    self.help = help
    self.isRepeatable = isRepeatable
  }

  /// An option without a value.
  package static func flag(_ name: String, _ help: String) -> OptionDeclaration {
    OptionDeclaration(name: name, valueName: nil, help: help, isRepeatable: false)
  }

  /// An option with a value.
  package static func value(
    _ name: String, _ valueName: String, _ help: String, isRepeatable: Bool = false
  ) -> OptionDeclaration {
    OptionDeclaration(name: name, valueName: valueName, help: help, isRepeatable: isRepeatable)
  }
}
