import SwiftletTestSupport

/// A model of one operator, with its arithmetic and memory traffic.
struct OperatorCase {
  var name: String
  var kind: Kind
  /// The multiply-adds of the direct algorithm, whatever the kernel does.
  var multiplyAdds: Int
  /// The bytes of inputs, constants, and outputs.
  var traffic: Traffic
  var graph: TestGraph

  /// The operation that bounds the arithmetic.
  enum Kind: String {
    case float32
    case bytes = "int8/uint8"
    /// Products of int16 and int8 values, at half the rate of int8 dot products.
    case int16
  }

  struct Traffic {
    var read: Int
    var written: Int
  }
}
