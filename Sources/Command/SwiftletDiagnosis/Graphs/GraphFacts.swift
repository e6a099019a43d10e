import SwiftletSchema

/// The producers and consumers of the tensors of a model's main graph.
struct GraphFacts: Sendable {
  let graph: Subgraph
  /// The operator that computes each tensor; `nil` for inputs and constants.
  let producers: [Int?]
  /// The operators that read each tensor, in order.
  let consumers: [[Int]]

  init(_ graph: Subgraph) {
    self.graph = graph
    var producers = [Int?](repeating: nil, count: graph.tensors.count)
    var consumers = [[Int]](repeating: [], count: graph.tensors.count)
    for (index, operation) in graph.operators.enumerated() {
      for input in operation.inputs.compactMap(\.self) where consumers[input].last != index {
        consumers[input].append(index)
      }
      for output in operation.outputs where producers[output] == nil { producers[output] = index }
    }
    self.producers = producers
    self.consumers = consumers
  }

  func kind(_ operation: Int) -> BuiltinOperator? {
    if case .builtin(let kind) = graph.operators[operation].code.kind { kind } else { nil }
  }

  /// The name of a tensor in messages. Converters join the names of fused operators; the first one is enough.
  func label(_ tensor: Int) -> String {
    let name = graph.tensors[tensor].name
    let first = name.prefix { $0 != ";" }
    return first.count < name.count ? "'\(String(first).excerpt);…'" : "'\(name.excerpt)'"
  }

  func name(_ operation: Int) -> String { graph.operators[operation].code.kind.name }

  /// Whether an operator changes only the type of its input: QUANTIZE and DEQUANTIZE.
  func isConversion(_ operation: Int) -> Bool { kind(operation) == .quantize || kind(operation) == .dequantize }

  /// Returns the tensor whose numbers a tensor has, through conversions of the type.
  func root(of tensor: Int) -> Int {
    var tensor = tensor
    while let producer = producers[tensor], isConversion(producer), let input = graph.operators[producer].inputs.first,
      let input
    {
      tensor = input
    }
    return tensor
  }

  /// Returns the constant that a tensor has the numbers of; `nil` if it is computed.
  func constant(_ tensor: Int?) -> TensorDescription? {
    guard let tensor else { return nil }
    let source = graph.tensors[root(of: tensor)]
    return source.data == nil ? nil : source
  }

  /// Whether a tensor is computed or is an input of the graph, directly or through conversions.
  func isComputed(_ tensor: Int) -> Bool {
    let source = root(of: tensor)
    return graph.tensors[source].data == nil && !graph.tensors[source].isVariable
      && (producers[source] != nil || graph.inputs.contains(source))
  }

  /// The inputs of an operator that are computed.
  func computedInputs(_ operation: Int) -> [Int] {
    graph.operators[operation].inputs.compactMap(\.self).filter(isComputed)
  }

  /// The activation that an operator applies to its result.
  func activation(_ operation: Int) -> FusedActivation {
    let options = graph.operators[operation].options
    let code: Int? =
      switch kind(operation) {
      case .conv2D: try? options.code(of: Conv2DOptions.fusedActivation)
      case .depthwiseConv2D: try? options.code(of: DepthwiseConv2DOptions.fusedActivation)
      case .transposeConv: try? options.code(of: TransposeConvOptions.fusedActivation)
      case .fullyConnected: try? options.code(of: FullyConnectedOptions.fusedActivation)
      case .add: try? options.code(of: AddOptions.fusedActivation)
      case .mul: try? options.code(of: MulOptions.fusedActivation)
      case .sub: try? options.code(of: SubOptions.fusedActivation)
      case .relu: FusedActivation.relu.rawValue
      case .relu6: FusedActivation.relu6.rawValue
      case .reluN1To1: FusedActivation.reluN1To1.rawValue
      default: nil
      }
    return code.flatMap(FusedActivation.init) ?? .none
  }

  /// The positions of an operator's weights and bias among its inputs, and the dimension of the weights that counts the
  /// output channels; `nil` for other operators.
  func weightedInputs(_ operation: Int) -> (weights: Int, bias: Int, axis: Int)? {
    switch kind(operation) {
    case .conv2D, .fullyConnected: (weights: 1, bias: 2, axis: 0)
    case .depthwiseConv2D: (weights: 1, bias: 2, axis: 3)
    case .transposeConv: (weights: 1, bias: 3, axis: 0)
    default: nil
    }
  }

  /// Returns the tensor at a position of an operator's inputs.
  func input(_ operation: Int, _ position: Int) -> Int? {
    let inputs = graph.operators[operation].inputs
    return inputs.indices.contains(position) ? inputs[position] : nil
  }
}
