/// What a command takes: the source of its parsing, its help text, its manual, its completions and its error messages.
package struct CommandDeclaration: Sendable {
  package var name: String
  /// One line for the list of commands.
  package var summary: String
  /// What follows the name in the usage line: `MODEL [INPUT…]`.
  package var operands: String
  /// How many operands there must be.
  package var operandCount: ClosedRange<Int>
  /// What the operands can be, in order; the last holds for all further ones.
  package var operandKinds: [ValueKind]
  /// What the command can do, where its first operand says which.
  package var actions: [ActionDeclaration]
  package var options: [OptionDeclaration]
  /// More to say below the options, a paragraph a line.
  package var notes: String
  package var examples: [Example]

  package init(
    name: String, summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    operandKinds: [ValueKind] = [],
    options: [OptionDeclaration] = [], notes: String = "", examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.operandKinds = operandKinds
    self.actions = []
    self.options = options
    self.notes = notes
    self.examples = examples
  }

  /// Creates a command whose first operand says what it does.
  package init(
    name: String, summary: String, actions: [ActionDeclaration], options: [OptionDeclaration] = [], notes: String = "",
    examples: [Example] = []
  ) {
    self.init(
      name: name, summary: summary, operands: actions.map(\.name).joined(separator: "|"), operandCount: 1...Int.max,
      options: options,
      notes: notes, examples: examples)
    self.actions = actions
  }

  /// What the operand at a place can be.
  package func operandKind(at index: Int) -> ValueKind? {
    index < operandKinds.count ? operandKinds[index] : operandKinds.last
  }
}

/// One of the things that a command can do.
package struct ActionDeclaration: Sendable {
  package var name: String
  /// What follows the name: `NAME…`.
  package var operands: String
  package var operandCount: ClosedRange<Int>
  package var operandKind: ValueKind
  package var help: String

  package init(
    _ name: String, _ help: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    operandKind: ValueKind = .text
  ) {
    self.name = name
    self.help = help
    self.operands = operands
    self.operandCount = operandCount
    self.operandKind = operandKind
  }

  package var usage: String { operands.isEmpty ? name : name + " " + operands }
}

/// A command line to learn from.
package struct Example: Sendable {
  package var command: String
  /// What it does.
  package var help: String

  package init(_ command: String, _ help: String) {
    self.command = command
    self.help = help
  }
}

/// A long option of a command.
package struct OptionDeclaration: Sendable {
  /// Without the dashes.
  package var name: String
  /// What its value can be; `nil` for a flag.
  package var kind: ValueKind?
  /// What stands for the value in the help text; `nil` for a flag.
  package var valueName: String?
  package var help: String
  /// Whether the option may be given several times.
  package var isRepeatable: Bool

  private init(name: String, kind: ValueKind?, valueName: String?, help: String, isRepeatable: Bool) {
    self.name = name
    self.kind = kind
    self.valueName = valueName
    self.help = help
    self.isRepeatable = isRepeatable
  }

  /// An option without a value.
  package static func flag(_ name: String, _ help: String) -> OptionDeclaration {
    OptionDeclaration(name: name, kind: nil, valueName: nil, help: help, isRepeatable: false)
  }

  /// An option whose value is text of a form that only its command knows.
  package static func value(
    _ name: String, _ valueName: String, _ help: String, isRepeatable: Bool = false
  ) -> OptionDeclaration {
    OptionDeclaration(name: name, kind: .text, valueName: valueName, help: help, isRepeatable: isRepeatable)
  }

  /// An option with a value of some kind.
  ///
  /// - Parameter valueName: what stands for the value in the help text, where the kind's own word does not say enough.
  package static func value(
    _ name: String, _ kind: ValueKind, as valueName: String? = nil, _ help: String, isRepeatable: Bool = false
  ) -> OptionDeclaration {
    OptionDeclaration(
      name: name, kind: kind, valueName: valueName ?? kind.standardName, help: help, isRepeatable: isRepeatable)
  }

  /// The option as it is written: `--threads N`.
  package var usage: String { "--" + name + (valueName.map { " " + $0 } ?? "") }
}

/// A program of several commands: the source of its help, its manual and the shells' completions.
package struct ProgramDeclaration: Sendable {
  /// Something with a name to explain: an environment variable, a file.
  package struct Entry: Sendable {
    package var name: String
    package var help: String

    package init(_ name: String, _ help: String) {
      self.name = name
      self.help = help
    }
  }

  package var name: String
  package var version: String
  /// When the manual was last changed: `2026-11-22`.
  package var date: String
  package var summary: String
  /// What the manual says before it comes to the commands, a paragraph a line.
  package var description: String
  package var commands: [CommandDeclaration]
  package var environment: [Entry]
  package var files: [Entry]

  package init(
    name: String, version: String, date: String, summary: String, description: String = "",
    commands: [CommandDeclaration],
    environment: [Entry] = [], files: [Entry] = []
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.description = description
    self.commands = commands
    self.environment = environment
    self.files = files
  }

  /// The options that need no declaration, because the program takes them everywhere.
  package static let commonOptions: [OptionDeclaration] = [
    .flag("help", "explain the command"), .flag("version", "tell the version"),
  ]
}
