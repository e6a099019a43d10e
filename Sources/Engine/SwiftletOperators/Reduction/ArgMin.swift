import SwiftletEngine
import SwiftletSchema

/// ARG_MIN: the position of the smallest element along one axis; see `ArgumentExtremumOperator`.
struct ArgMinOperator: ArgumentExtremumOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.argMin, versions: 1...3, types: Self.types)
  }
  static let isMaximum = false
  static var positionType: OptionField<ElementType> { ArgMinOptions.outputType }
}
