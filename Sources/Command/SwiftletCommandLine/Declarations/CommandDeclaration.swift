/// The options and operands of a command: the source of its parser, help text, manual, completions, and error messages.
package struct CommandDeclaration: Sendable {
  package var name: String
  /// The line for the list of commands.
  package var summary: String
  /// The operands in the usage line, after the name: `MODEL [INPUT…]`.
  package var operands: String
  /// The accepted number of operands.
  package var operandCount: ClosedRange<Int>
  /// The kinds of the operands, in order. The last kind also applies to all further operands.
  package var operandKinds: [ValueKind]
  /// The actions of the command, if its first operand selects one.
  package var actions: [ActionDeclaration]
  package var options: [OptionDeclaration]
  /// Further text below the options, one paragraph per line.
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

  /// Creates a command whose first operand selects an action.
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

  /// Returns the kind of the operand at an index.
  package func operandKind(at index: Int) -> ValueKind? {
    index < operandKinds.count ? operandKinds[index] : operandKinds.last
  }
}

/// One of a command's actions.
package struct ActionDeclaration: Sendable {
  package var name: String
  /// The operands after the action's name: `NAME…`.
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

/// An example command line.
package struct Example: Sendable {
  package var command: String
  /// A description of the example.
  package var help: String

  package init(_ command: String, _ help: String) {
    self.command = command
    self.help = help
  }
}

/// A long option of a command.
package struct OptionDeclaration: Sendable {
  /// The name without the dashes.
  package var name: String
  /// The kind of the value, or `nil` for a flag.
  package var kind: ValueKind?
  /// The placeholder for the value in the help text, or `nil` for a flag.
  package var valueName: String?
  package var help: String
  /// Whether the option can be given more than once.
  package var isRepeatable: Bool

  private init(name: String, kind: ValueKind?, valueName: String?, help: String, isRepeatable: Bool) {
    self.name = name
    self.kind = kind
    self.valueName = valueName
    self.help = help
    self.isRepeatable = isRepeatable
  }

  /// Returns an option without a value.
  package static func flag(_ name: String, _ help: String) -> OptionDeclaration {
    OptionDeclaration(name: name, kind: nil, valueName: nil, help: help, isRepeatable: false)
  }

  /// Returns an option whose value is text in a form that only its command knows.
  package static func value(
    _ name: String, _ valueName: String, _ help: String, isRepeatable: Bool = false
  ) -> OptionDeclaration {
    OptionDeclaration(name: name, kind: .text, valueName: valueName, help: help, isRepeatable: isRepeatable)
  }

  /// Returns an option with a value of the given kind.
  ///
  /// - Parameter valueName: The placeholder for the value in the help text, if the kind's own placeholder isn't
  ///   specific enough.
  package static func value(
    _ name: String, _ kind: ValueKind, as valueName: String? = nil, _ help: String, isRepeatable: Bool = false
  ) -> OptionDeclaration {
    OptionDeclaration(
      name: name, kind: kind, valueName: valueName ?? kind.standardName, help: help, isRepeatable: isRepeatable)
  }

  /// The option as users type it: `--threads N`.
  package var usage: String { "--" + name + (valueName.map { " " + $0 } ?? "") }
}

/// A program with several commands: the source of its help, manual, and shell completions.
package struct ProgramDeclaration: Sendable {
  /// A name with an explanation: an environment variable or a file.
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
  /// The date of the last change to the manual: `2026-11-22`.
  package var date: String
  package var summary: String
  /// The description in the manual, before the commands, one paragraph per line.
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

  /// The options that need no declaration, because every command accepts them.
  package static let commonOptions: [OptionDeclaration] = [
    .flag("help", "explain the command"), .flag("version", "tell the version"),
  ]
}
