/// What an operator does: a builtin code or the name of a custom operator.
package enum OperatorKind: Sendable, Hashable {
  case builtin(BuiltinOperator)
  case custom(String)

  /// How the name starts under which a builtin code is kept that is newer than this reader: `UNKNOWN_BUILTIN_213`.
  ///
  /// Such a model can be described, but not run.
  package static let unknownBuiltinPrefix = "UNKNOWN_BUILTIN_"

  /// The name shown to users: `CONV_2D`, or the custom operator's own name.
  package var name: String {
    switch self {
    case .builtin(let operatorCode): operatorCode.schemaName
    case .custom(let name): name
    }
  }

  package var isCustom: Bool {
    if case .custom = self { true } else { false }
  }

  /// Whether the operator's options live in the union that the schema added when the first one was full.
  var usesSecondOptionsUnion: Bool {
    if case .builtin(let builtin) = self {
      builtin.rawValue >= BuiltinOperator.stablehloLogistic.rawValue
    } else {
      false
    }
  }
}
