import SwiftletEngine
import TensorFlowLiteCommon

extension CompiledModel {
  // MARK: Types

  /// What an input is by the model's file, with -1 for sizes that it leaves open.
  public func getInputTensorType(inputIndex: Int, signatureIndex: Int = 0) throws -> TensorType {
    try withInput(inputIndex, signatureIndex) { graph, position in
      TensorType(
        elementType: ElementType(graph.input(at: position).elementType),
        layout: Layout(dimensions: graph.declaredShape(ofInput: position)))
    }
  }

  /// What an output is by the model's file, with -1 for sizes that it leaves open.
  public func getOutputTensorType(outputIndex: Int, signatureIndex: Int = 0) throws -> TensorType {
    try withOutput(outputIndex, signatureIndex) { graph, position in
      TensorType(
        elementType: ElementType(graph.output(at: position).elementType),
        layout: Layout(dimensions: graph.declaredShape(ofOutput: position)))
    }
  }

  /// The sizes that an input has now.
  public func getInputTensorLayout(inputIndex: Int, signatureIndex: Int = 0) throws -> Layout {
    try withInput(inputIndex, signatureIndex) { graph, position in
      Layout(dimensions: graph.input(at: position).shape.dimensions)
    }
  }

  /// The sizes that the outputs have now; those that only a run tells are as in the file.
  ///
  /// - Parameters:
  ///   - signatureIndex: which signature, from 0.
  ///   - updateAllocation: whether inputs that were resized count.
  /// - Throws: `LiteRtError.runtimeFailure` when the model does not take the inputs' sizes.
  public func getOutputTensorLayouts(signatureIndex: Int = 0, updateAllocation: Bool = true) throws -> [Layout] {
    let signature = try signature(signatureIndex)
    return try withGraph(signature) { graph in
      if updateAllocation { try graph.allocate() }
      return signature.outputs.map { port in
        let isKnown = (try? graph.withOutput(port.position) { _ in true }) ?? false
        return Layout(
          dimensions: isKnown
            ? graph.output(at: port.position).shape.dimensions : graph.declaredShape(ofOutput: port.position))
      }
    }
  }

  // MARK: Buffers

  /// What memory an input wants for its present sizes.
  public func getInputBufferRequirements(inputIndex: Int, signatureIndex: Int = 0) throws -> TensorBufferRequirements {
    try withInput(inputIndex, signatureIndex) { graph, position in
      TensorBufferRequirements(bufferSize: graph.input(at: position).byteCount ?? 0)
    }
  }

  /// What memory an output wants for its present sizes.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` when the model does not take the inputs' sizes.
  public func getOutputBufferRequirements(
    outputIndex: Int, signatureIndex: Int = 0
  ) throws -> TensorBufferRequirements {
    try withOutput(outputIndex, signatureIndex) { graph, position in
      try graph.allocate()
      return TensorBufferRequirements(bufferSize: graph.output(at: position).byteCount ?? 0)
    }
  }

  /// Buffers for the inputs, of the file's types and as large as the present sizes want.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for an input without bytes, such as strings.
  public func createInputBuffers(signatureIndex: Int = 0) throws -> [TensorBuffer] {
    try (0..<inputCount(signatureIndex: signatureIndex)).map { index in
      try TensorBuffer(
        tensorType: getInputTensorType(inputIndex: index, signatureIndex: signatureIndex),
        size: getInputBufferRequirements(inputIndex: index, signatureIndex: signatureIndex).bufferSize)
    }
  }

  /// Buffers for the outputs, of their present sizes.
  ///
  /// - Throws: `LiteRtError`: `invalidArgument` for an output with a size that only a run tells, `runtimeFailure` for
  ///   one without bytes and when the model does not take the inputs' sizes.
  public func createOutputBuffers(signatureIndex: Int = 0) throws -> [TensorBuffer] {
    let layouts = try getOutputTensorLayouts(signatureIndex: signatureIndex)
    return try layouts.enumerated().map { index, layout in
      guard layout.elementCount != nil else { throw LiteRtError.invalidArgument }
      let element = try getOutputTensorType(outputIndex: index, signatureIndex: signatureIndex).elementType
      let type = TensorType(elementType: element, layout: layout)
      guard let size = type.byteCount, size > 0 else { throw LiteRtError.runtimeFailure }
      return try TensorBuffer(tensorType: type, size: size)
    }
  }

  // MARK: Sizes

  /// Gives an input other sizes in the dimensions that the model leaves open.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for no sizes, negative ones, and a change of others.
  public func resizeInputTensor(inputIndex: Int, dimensions: [Int], signatureIndex: Int = 0) throws {
    try resize(inputIndex, dimensions, signatureIndex) { declared in
      dimensions.count == declared.count && zip(dimensions, declared).allSatisfy { $1 < 0 || $0 == $1 }
    }
  }

  /// Gives an input any other sizes. Whether the model takes them comes out when buffers are made or it runs.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for no sizes and negative ones.
  public func resizeInputTensorNonStrict(inputIndex: Int, dimensions: [Int], signatureIndex: Int = 0) throws {
    try resize(inputIndex, dimensions, signatureIndex) { _ in true }
  }

  private func resize(
    _ index: Int, _ dimensions: [Int], _ signatureIndex: Int, _ isAllowed: ([Int]) -> Bool
  ) throws {
    try withInput(index, signatureIndex) { graph, position in
      guard !dimensions.isEmpty, isAllowed(graph.declaredShape(ofInput: position)),
        graph.resizeInput(at: position, to: dimensions)
      else { throw LiteRtError.invalidArgument }
    }
  }

  // MARK: Inside

  private func withInput<Result>(
    _ index: Int, _ signatureIndex: Int, _ body: (GraphRunner, Int) throws -> Result
  ) throws -> Result {
    try withPort(index, of: \.inputs, signatureIndex, body)
  }

  private func withOutput<Result>(
    _ index: Int, _ signatureIndex: Int, _ body: (GraphRunner, Int) throws -> Result
  ) throws -> Result {
    try withPort(index, of: \.outputs, signatureIndex, body)
  }

  private func withPort<Result>(
    _ index: Int, of side: KeyPath<SignatureEnds, [SignatureEnds.Port]>, _ signatureIndex: Int,
    _ body: (GraphRunner, Int) throws -> Result
  ) throws -> Result {
    let signature = try signature(signatureIndex)
    let port = try Self.element(index, of: signature[keyPath: side])
    return try withGraph(signature) { try body($0, port.position) }
  }
}
