import SwiftletEngine
import SwiftletSchema

/// PADV2: a value of its own around the input.
///
/// - Source: operator 60 of the model format.
struct PadV2Operator: ConstantPadding {
  static var identity: OperatorIdentity {
    OperatorIdentity(.padV2, versions: 1...6, types: types)
  }

  var axisOrder: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...3) }
}
