import SwiftletEngine
import SwiftletSchema

/// PAD: zeros around the input; the zero point around a quantised one.
///
/// - Source: operator 34 of the model format.
struct PadOperator: ConstantPadding {
  static var identity: OperatorIdentity {
    OperatorIdentity(.pad, versions: 1...6, types: types)
  }

  var axisOrder: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...3) }
}
