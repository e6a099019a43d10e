import SwiftletEngine
import SwiftletSchema

/// ARG_MAX: the position of the largest element along one axis; see `ArgumentExtremumOperator`.
struct ArgMaxOperator: ArgumentExtremumOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.argMax, versions: 1...3, types: Self.types)
  }
  static let isMaximum = true
  static var positionType: OptionField<ElementType> { ArgMaxOptions.outputType }
}
