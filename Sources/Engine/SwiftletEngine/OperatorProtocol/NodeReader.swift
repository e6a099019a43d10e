package import SwiftletSchema

/// An operator's entry in the model file, which the operator is parsed from.
package struct NodeReader {
  /// The subgraph and position, for messages.
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

  /// Returns an `invalidModel` error at this node.
  package func invalid(_ message: String) -> RuntimeError {
    RuntimeError(.invalidModel, message, location: location)
  }

  /// Checks the number of inputs and outputs.
  ///
  /// - Throws: An error if the node has fewer or more inputs or outputs than the operator supports.
  package func require(inputs: ClosedRange<Int>, outputs: ClosedRange<Int> = 1...1) throws {
    guard inputs.contains(inputCount) else {
      throw invalid("takes \(Self.text(inputs)) inputs, but the model has \(inputCount)")
    }
    guard outputs.contains(outputCount) else {
      throw invalid("has \(Self.text(outputs)) outputs, but the model has \(outputCount)")
    }
  }

  /// Returns a subgraph index from the options, checked against the model.
  package func subgraph(_ index: Int) throws -> Int {
    guard subgraphs.indices.contains(index) else {
      throw invalid("names subgraph \(index), the model has \(subgraphs.count)")
    }
    return index
  }

  /// Returns the only operator of a subgraph that combines two numbers, or `nil` if the subgraph returns its second
  /// input.
  ///
  /// - Throws: An error if the model has no such subgraph, if the subgraph does anything else, or if its types differ
  ///   from the type of this node's first input.
  package func operation(ofSubgraph index: Int) throws -> OperatorKind? {
    let reducer = subgraphs[try subgraph(index)]
    guard reducer.operators.count <= 1 else {
      throw invalid(
        "combines numbers by the \(reducer.operators.count) operators of subgraph \(index), but it supports only one")
    }
    guard reducer.inputs.count == 2, reducer.outputs.count == 1 else {
      throw invalid(
        "combines numbers by subgraph \(index), which has \(reducer.inputs.count) inputs and \(reducer.outputs.count) outputs; it must have two inputs and one output"
      )
    }
    let ends = reducer.inputs + reducer.outputs
    if let own = location.subgraph.flatMap({ subgraphs.indices.contains($0) ? subgraphs[$0] : nil }),
      let input = description.inputs.first ?? nil,
      let other = ends.first(where: { reducer.tensors[$0].type != own.tensors[input].type })
    {
      throw invalid(
        "combines numbers of type \(own.tensors[input].type.name) by subgraph \(index), which reads or returns \(reducer.tensors[other].type.name)"
      )
    }
    guard let operation = reducer.operators.first else {
      guard reducer.outputs[0] == reducer.inputs[1] else {
        throw invalid("writes the results of subgraph \(index), which returns a tensor other than its second input")
      }
      return nil
    }
    let order = operation.inputs.compactMap { $0 }
    guard order == reducer.inputs || order == reducer.inputs.reversed(), operation.outputs == reducer.outputs else {
      throw invalid("combines numbers by subgraph \(index), whose operator must read both inputs and write the output")
    }
    return operation.code.kind
  }

  /// Checks the output type in the options.
  ///
  /// - Throws: An error if there are options and their `field` for the output type is neither int32 nor int64.
  package func requireIndexType(field: OptionField<ElementType>) throws {
    guard options.tag != 0 else { return }
    let code = try options.code(of: field)
    guard [ElementType.int32, .int64].contains(where: { Int($0.rawValue) == code }) else {
      throw invalid("the option for the type of its output must be int32 (2) or int64 (4), got \(code)")
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}

/// The location of a node in its model and the values that it reads and writes, without its operator.
package struct NodeWiring: Sendable {
  package var location: RuntimeError.Location
  /// A unique number of the node in the model, even if a subgraph is inlined several times.
  package var number: Int
  /// The inputs; `nil` for an omitted optional input.
  package var inputs: [ValueID?]
  package var outputs: [ValueID]
  /// Tensors that only provide quantization parameters for the operator's intermediate results.
  package var intermediates: [ValueID?]
  /// For each output, the input that it replaces, if the model uses one tensor for both. In the graph, they are
  /// separate values.
  package var replacedInputs: [ValueID?]
}

/// Blockwise quantization along the last dimension, with the scales in another tensor.
///
/// The quantized value 0 represents zero. The model format has a field for zero points, but writers leave its default,
/// so it refers to the first tensor. Runtimes ignore it.
package struct BlockQuantization: Sendable {
  package var scales: ValueID
  /// The number of elements that share a scale.
  package var size: Int
  /// The dimensions that are divided into blocks; empty for the last dimension only.
  package var axes: [Int]
}
