package import SwiftletSchema

/// What an operator is parsed from: its row in the model file.
package struct NodeReader {
  /// Subgraph and position, for messages.
  package let location: RuntimeError.Location
  package let description: OperatorDescription
  package let subgraphCount: Int

  package init(location: RuntimeError.Location, description: OperatorDescription, subgraphCount: Int) {
    self.location = location
    self.description = description
    self.subgraphCount = subgraphCount
  }

  package var options: OptionsTable { description.options }
  package var version: Int { description.code.version }
  package var inputCount: Int { description.inputs.count }
  package var outputCount: Int { description.outputs.count }

  /// An `invalidModel` error at this node.
  package func invalid(_ message: String) -> RuntimeError {
    RuntimeError(.invalidModel, message, location: location)
  }

  /// - Throws: when the node has fewer or more inputs or outputs than the operator takes.
  package func require(inputs: ClosedRange<Int>, outputs: ClosedRange<Int> = 1...1) throws {
    guard inputs.contains(inputCount) else {
      throw invalid("takes \(Self.text(inputs)) inputs, the model gives \(inputCount)")
    }
    guard outputs.contains(outputCount) else {
      throw invalid("has \(Self.text(outputs)) outputs, the model gives \(outputCount)")
    }
  }

  /// A subgraph index read from the options, checked against the model.
  package func subgraph(_ index: Int) throws -> Int {
    guard index >= 0, index < subgraphCount else {
      throw invalid("names subgraph \(index), the model has \(subgraphCount)")
    }
    return index
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
