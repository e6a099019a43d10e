/// What an operator does: a builtin code or the name of a custom operator.
package enum OperatorKind: Sendable, Hashable {
  case builtin(BuiltinOperator)
  case custom(String)

  /// The name shown to users: `CONV_2D`, or the custom operator's own name.
  package var name: String {
    switch self {
    case .builtin(let operatorCode): operatorCode.schemaName
    case .custom(let name): name
    }
  }
}
