import SwiftletEngine
import SwiftletSchema

/// The inputs of one run, which both models of a pair read in their own types.
struct DiagnosisInput: Sendable {
  private let tensors: [Tensor]
  /// The formats of the diagnosed model's inputs, in which quantized tensors are given.
  private let formats: [NumberFormat?]

  /// Creates inputs.
  ///
  /// - Parameters:
  ///   - tensors: One tensor for each input of the model, in its order: real numbers in float32, or elements of the
  ///     input's own type.
  /// - Throws: `RuntimeError` (`invalidArgument`) if number, sizes, or types don't match.
  init(_ tensors: [Tensor], _ facts: GraphFacts, number: Int) throws(RuntimeError) {
    let inputs = facts.graph.inputs.map { facts.graph.tensors[$0] }
    guard tensors.count == inputs.count else {
      throw RuntimeError(
        .invalidArgument, "input set \(number) has \(tensors.count) tensors, the model takes \(inputs.count)")
    }
    for (tensor, input) in zip(tensors, inputs) {
      let spec = "'\(input.name.excerpt)' \(input.type.name)\(Shape(input.shape))"
      guard tensor.shape.elementCount == Shape(input.shape).elementCount else {
        throw RuntimeError(
          .invalidArgument, "input set \(number) has a tensor of shape \(tensor.shape) for input \(spec)")
      }
      guard tensor.elementType == input.type || tensor.elementType == .float32 && NumberFormat(input) != nil else {
        throw RuntimeError(
          .invalidArgument,
          "input set \(number) has a tensor of \(tensor.elementType.name) for input \(spec); give \(input.type.name), or real numbers in float32"
        )
      }
      guard input.type != .string else {
        throw RuntimeError(.invalidArgument, "input \(spec) takes strings, which a diagnosis cannot set")
      }
    }
    self.tensors = tensors
    formats = inputs.map(NumberFormat.init)
  }

  /// Writes the inputs into the memory of models.
  ///
  /// - Parameter facts: The main graph of all of them, whose first inputs these are.
  func write(_ facts: GraphFacts, into models: [ObservedModel]) throws {
    for (position, tensor) in tensors.enumerated() where position < facts.graph.inputs.count {
      let input = facts.graph.inputs[position]
      let description = facts.graph.tensors[input]
      for model in models {
        _ = try model.withInput(input) { memory in
          try write(tensor, position, description, into: memory)
        }
      }
    }
  }

  private func write(
    _ tensor: Tensor, _ position: Int, _ description: TensorDescription, into memory: UnsafeMutableRawBufferPointer
  ) throws {
    let isReal = tensor.elementType == .float32
    if tensor.elementType == description.type, isReal || formats[position] == NumberFormat(description) {
      tensor.bytes.withUnsafeBytes {
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(memory.count)))
      }
      return
    }
    guard let target = NumberFormat(description), isReal || formats[position] != nil else {
      throw RuntimeError(
        .invalidArgument,
        "input '\(description.name.excerpt)' of the reference holds \(description.type.name); the inputs hold \(tensor.elementType.name)"
      )
    }
    var numbers = [Float](repeating: 0, count: tensor.shape.elementCount)
    numbers.withUnsafeMutableBufferPointer { numbers in
      tensor.bytes.withUnsafeBytes { bytes in
        if isReal {
          for index in numbers.indices {
            numbers[index] = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
          }
        } else {
          formats[position]?.read(bytes, into: numbers)
        }
      }
      target.write(UnsafeBufferPointer(numbers), into: memory)
    }
  }
}
