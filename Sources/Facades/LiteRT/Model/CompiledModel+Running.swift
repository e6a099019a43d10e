import SwiftletEngine
import SwiftletBase
import TensorFlowLiteCommon

extension CompiledModel {
  /// Runs a signature on what the input buffers hold, and writes the results to the output buffers.
  ///
  /// An input takes the sizes of its buffer's type in the dimensions that the model leaves open.
  ///
  /// - Parameters:
  ///   - inputs: one for each input, in their order, with its values.
  ///   - outputs: one for each output, in their order.
  ///   - options: of this run; accepted, and without effect.
  ///   - signatureIndex: which signature, from 0.
  /// - Throws: `LiteRtError`: `invalidArgument` for buffers too few, too many or too small, `runtimeFailure` when the
  ///   run fails, `cancelled`, `unsupported` for buffers of Metal's.
  public func run(
    inputs: [TensorBuffer], outputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws {
    let signature = try signature(signatureIndex)
    guard inputs.count == signature.inputs.count, outputs.count == signature.outputs.count else {
      throw LiteRtError.invalidArgument
    }
    try withGraph(signature) { graph in
      for (port, buffer) in zip(signature.inputs, inputs) { try Self.adopt(buffer, port.position, graph) }
      try graph.allocate()
      for (port, buffer) in zip(signature.inputs, inputs) {
        let source = try binding(of: port.name, in: signature.key) ?? UnsafeRawBufferPointer(buffer.bytes())
        try graph.withInput(port.position) { target in
          guard source.count >= target.count else { throw LiteRtError.invalidArgument }
          target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(target.count)))
        }
      }
      if let cancellation { try cancellation.carry { try graph.run() } } else { try graph.run() }
      for (port, buffer) in zip(signature.outputs, outputs) {
        let target = try buffer.bytes()
        try graph.withOutput(port.position) { source in
          guard source.count <= target.count else { throw LiteRtError.invalidArgument }
          target.copyMemory(from: source)
        }
      }
    }
  }

  /// Runs a signature, and gives its results in new buffers.
  ///
  /// - Throws: as `run(inputs:outputs:options:signatureIndex:)` and `createOutputBuffers(signatureIndex:)`.
  public func run(inputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0) throws -> [TensorBuffer] {
    let outputs = try createOutputBuffers(signatureIndex: signatureIndex)
    try run(inputs: inputs, outputs: outputs, options: options, signatureIndex: signatureIndex)
    return outputs
  }

  /// Runs a signature. LiteRT may return before it is done; here it is done.
  ///
  /// - Returns: whether the run still goes on: `false`.
  /// - Throws: as `run(inputs:outputs:options:signatureIndex:)`.
  public func dispatch(
    inputs: [TensorBuffer], outputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws -> Bool {
    try run(inputs: inputs, outputs: outputs, options: options, signatureIndex: signatureIndex)
    return false
  }

  /// Runs a signature, and gives its results in new buffers. LiteRT may return before it is done; here it is done.
  ///
  /// - Returns: the results, and whether the run still goes on: `false`.
  /// - Throws: as `run(inputs:options:signatureIndex:)`.
  public func dispatch(
    inputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws -> (buffers: [TensorBuffer], isAsync: Bool) {
    (try run(inputs: inputs, options: options, signatureIndex: signatureIndex), false)
  }

  /// Has a function asked while the model runs, on the threads that run it; once it says `true`, the run ends with
  /// `LiteRtError.cancelled`.
  ///
  /// - Parameters:
  ///   - userData: handed to the function; must stay as long as the model.
  ///   - checkCancelledFunc: the function.
  public func setCancellationFunction(
    userData: UnsafeMutableRawPointer? = nil,
    checkCancelledFunc: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Bool
  ) throws {
    // The pointer is only handed to the app's function, which it is meant for.
    nonisolated(unsafe) let userData = userData
    nonisolated(unsafe) let check = checkCancelledFunc
    cancellation = CallContext(asking: { check(userData) })
  }

  /// Gives an input the sizes of a buffer where the model leaves them open.
  private static func adopt(_ buffer: TensorBuffer, _ position: Int, _ graph: GraphRunner) throws {
    guard let sizes = buffer.tensorType?.layout.dimensions, sizes.allSatisfy({ $0 >= 0 }) else { return }
    let present = graph.input(at: position).shape.dimensions
    let declared = graph.declaredShape(ofInput: position)
    guard sizes != present, sizes.count == declared.count,
      zip(sizes, declared).allSatisfy({ $1 < 0 || $0 == $1 })
    else { return }
    guard graph.resizeInput(at: position, to: sizes) else { throw LiteRtError.invalidArgument }
  }

  private func binding(of input: String, in signature: String) -> UnsafeRawBufferPointer? {
    options?.bindings.last { $0.signature == signature && $0.input == input }?.memory
  }
}
