import SwiftletEngine

/// A complex64 element.
struct ComplexFloat: BitwiseCopyable, Sendable {
  var real: Float
  var imaginary: Float
}
