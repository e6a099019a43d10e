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
