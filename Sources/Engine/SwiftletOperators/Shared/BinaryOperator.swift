import SwiftletEngine

/// An operator of two inputs that broadcast, without options.
protocol PlainBinaryOperator: Operator {
  init()
}

extension PlainBinaryOperator {
  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    self.init()
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.broadcastShape()] }
}

/// An integer element of any width.
typealias IntegerElement = FixedWidthInteger & BitwiseCopyable & Sendable
