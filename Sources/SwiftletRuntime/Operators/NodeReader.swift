package import SwiftletSchema

/// What an operator is parsed from: its row in the model file.
package struct NodeReader {
  /// Subgraph and position, for messages.
  package let location: RuntimeError.Location
  package let description: OperatorDescription
  /// The subgraphs of the model.
  package let subgraphs: [Subgraph]

  package init(location: RuntimeError.Location, description: OperatorDescription, subgraphs: [Subgraph] = []) {
    self.location = location
    self.description = description
    self.subgraphs = subgraphs
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
    guard subgraphs.indices.contains(index) else {
      throw invalid("names subgraph \(index), the model has \(subgraphs.count)")
    }
    return index
  }

  /// The only operator of a subgraph that says what to do with two numbers; `nil` when the subgraph has no operators.
  ///
  /// - Throws: when the model has no such subgraph, or it has several operators.
  package func operation(ofSubgraph index: Int) throws -> OperatorKind? {
    let operators = subgraphs[try subgraph(index)].operators
    guard operators.count <= 1 else {
      throw invalid("combines numbers by the \(operators.count) operators of subgraph \(index), it takes one")
    }
    return operators.first?.code.kind
  }

  /// - Throws: when there are options whose field `field`, the type of the output, names neither int32 nor int64.
  package func requireIndexType(field: Int) throws {
    guard options.tag != 0 else { return }
    let code = try options.byte(field)
    guard [ElementType.int32, .int64].contains(where: { Int($0.rawValue) == code }) else {
      throw invalid("the option for the type of its output must be int32 (2) or int64 (4), got \(code)")
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
