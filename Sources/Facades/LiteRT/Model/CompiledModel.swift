public import Foundation
import SwiftletBase
@_spi(Facades) import SwiftletEngine
import TensorFlowLiteCommon

/// A compiled model, which runs by signature.
///
/// If the model has no signatures, its main graph is available as the signature `<placeholder signature>`.
///
/// - Thread safety: calls are serialized. The app must synchronize buffers, options, and sequences of calls.
public final class CompiledModel {
  /// The environment that the model was compiled in.
  public let environment: Environment
  /// The options that the model was compiled with; CPU options if none were given.
  public let options: Options?
  let runner: ModelRunner
  /// The metadata from ``addMetadata(key:data:)``.
  var addedMetadata: [String: Data] = [:]
  /// The context that is checked for cancellation while the model runs.
  var cancellation: CallContext?

  /// Creates a compiled model from a file.
  ///
  /// - Throws: `LiteRtError`: `fileIO`, `invalidFlatbuffer`, `compilation` for operators that are not supported,
  ///   `invalidArgument` for an external tensor binding that matches no input.
  public convenience init(filePath: String, environment: Environment, options: Options? = nil) throws {
    try self.init(environment, options) { try Model(contentsOf: filePath) }
  }

  /// Creates a compiled model from bytes in memory, which are copied.
  ///
  /// - Throws: The same errors as `init(filePath:environment:options:)`.
  public convenience init(data: Data, environment: Environment, options: Options? = nil) throws {
    guard !data.isEmpty else { throw LiteRtError.invalidArgument }
    try self.init(environment, options) { try Model(bytes: [UInt8](data)) }
  }

  /// Creates a compiled model from a range of an open file. The file offset doesn't change, and the file is not closed.
  ///
  /// - Throws: The same errors as `init(filePath:environment:options:)`.
  public convenience init(fd: Int32, offset: Int, size: Int, environment: Environment, options: Options? = nil) throws {
    guard offset >= 0, size > 0 else { throw LiteRtError.invalidArgument }
    let bytes = try FilePart.read(fd, offset: offset, size: size)
    try self.init(environment, options) { try Model(bytes: bytes) }
  }

  private init(_ environment: Environment, _ options: Options?, _ load: () throws -> Model) throws {
    let options = try options ?? Self.defaultOptions()
    self.environment = environment
    self.options = options
    runner = ModelRunner(
      try reportingLiteRtErrors(.invalidFlatbuffer) { try load() }, defaultKey: "<placeholder signature>")
    for binding in options.bindings {
      guard let ends = runner.signatures.first(where: { $0.key == binding.signature }),
        ends.input(named: binding.input) != nil
      else { throw LiteRtError.invalidArgument }
    }
    try reportingLiteRtErrors(.compilation) {
      for ends in runner.signatures.prefix(1) { try runner.withGraph(ends) { _ in } }
    }
    for accelerator in try options.hardwareAccelerators() where accelerator != .cpu {
      DeveloperMessages.warnOfProcessor(insteadOf: "the accelerator '\(accelerator)'")
    }
  }

  private static func defaultOptions() throws -> Options {
    let options = try Options()
    try options.setHardwareAccelerators([.cpu])
    return options
  }

  // MARK: Signatures

  /// Returns the names of the signatures; never empty.
  public func signatureKeys() throws -> [String] { runner.signatures.map(\.key) }

  /// Returns the number of inputs of a signature.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds`, like all calls with the index of a signature, an input, or an output.
  public func inputCount(signatureIndex: Int = 0) throws -> Int { try signature(signatureIndex).inputs.count }

  /// Returns the number of outputs of a signature.
  public func outputCount(signatureIndex: Int = 0) throws -> Int { try signature(signatureIndex).outputs.count }

  /// Returns the name of an input in its signature.
  public func inputName(inputIndex: Int, signatureIndex: Int = 0) throws -> String {
    try Self.element(inputIndex, of: signature(signatureIndex).inputs).name
  }

  /// Returns the name of an output in its signature.
  public func outputName(outputIndex: Int, signatureIndex: Int = 0) throws -> String {
    try Self.element(outputIndex, of: signature(signatureIndex).outputs).name
  }

  /// Returns whether the whole model runs on the requested accelerators: `true` if only the CPU was requested.
  public func isFullyAccelerated() throws -> Bool { try options?.hardwareAccelerators() == [.cpu] }

  // MARK: Metadata

  /// Returns the metadata that the file stores under a key.
  ///
  /// - Throws: `LiteRtError.notFound`.
  public func metadata(key: String) throws -> Data {
    if let data = addedMetadata[key] { return data }
    guard let bytes = runner.metadata(named: key) else { throw LiteRtError.notFound }
    return Data(bytes)
  }

  /// Adds metadata that ``metadata(key:)`` returns. The file doesn't change.
  ///
  /// - Throws: `LiteRtError.alreadyExists`.
  public func addMetadata(key: String, data: Data) throws {
    guard addedMetadata[key] == nil, runner.metadata(named: key) == nil else { throw LiteRtError.alreadyExists }
    addedMetadata[key] = data
  }

  // MARK: Messages

  /// Not available, because there is no error buffer. `Environment.messageHandler` receives the messages.
  ///
  /// - Throws: `LiteRtError.unsupported`.
  public func clearErrors() throws { throw LiteRtError.unsupported }

  /// Not available, because there is no error buffer. `Environment.messageHandler` receives the messages.
  ///
  /// - Throws: `LiteRtError.unsupported`.
  public func getErrorMessages() throws -> String { throw LiteRtError.unsupported }

  // MARK: Inside

  func signature(_ index: Int) throws -> SignatureBindings { try Self.element(index, of: runner.signatures) }

  static func element<Element>(_ index: Int, of elements: [Element]) throws -> Element {
    guard elements.indices.contains(index) else { throw LiteRtError.indexOutOfBounds }
    return elements[index]
  }

  /// Calls `body` with the graph of a signature.
  func withGraph<Result>(
    _ signature: SignatureBindings, _ other: LiteRtError = .runtimeFailure, _ body: (GraphRunner) throws -> Result
  ) throws -> Result {
    try reportingLiteRtErrors(other) { try runner.withGraph(signature, body) }
  }
}

extension CompiledModel {
  /// Runs a signature on the input buffers, and writes the results to the output buffers.
  ///
  /// If the model has dynamic input dimensions, they are taken from the type of the buffer.
  ///
  /// - Parameters:
  ///   - inputs: One buffer for each input, in order, with its elements.
  ///   - outputs: One buffer for each output, in order.
  ///   - options: Options for this run. They have no effect.
  ///   - signatureIndex: The index of the signature.
  /// - Throws: `LiteRtError`: `invalidArgument` for the wrong number of buffers and for buffers that are too small,
  ///   `runtimeFailure` if the run fails, `cancelled`, `unsupported` for Metal buffers.
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

  /// Runs a signature, and returns its results in new buffers.
  ///
  /// - Throws: The same errors as `run(inputs:outputs:options:signatureIndex:)` and
  ///   `createOutputBuffers(signatureIndex:)`.
  public func run(inputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0) throws -> [TensorBuffer] {
    let outputs = try createOutputBuffers(signatureIndex: signatureIndex)
    try run(inputs: inputs, outputs: outputs, options: options, signatureIndex: signatureIndex)
    return outputs
  }

  /// Runs a signature. In LiteRT, the run may continue after this call; here it has always finished.
  ///
  /// - Returns: Whether the run continues: `false`.
  /// - Throws: The same errors as `run(inputs:outputs:options:signatureIndex:)`.
  public func dispatch(
    inputs: [TensorBuffer], outputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws -> Bool {
    try run(inputs: inputs, outputs: outputs, options: options, signatureIndex: signatureIndex)
    return false
  }

  /// Runs a signature, and returns its results in new buffers. In LiteRT, the run may continue after this call; here it
  /// has always finished.
  ///
  /// - Returns: The results, and whether the run continues: `false`.
  /// - Throws: The same errors as `run(inputs:options:signatureIndex:)`.
  public func dispatch(
    inputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws -> (buffers: [TensorBuffer], isAsync: Bool) {
    (try run(inputs: inputs, options: options, signatureIndex: signatureIndex), false)
  }

  /// Sets a function that is called while the model runs, on the threads that run it. If it returns `true`, the run
  /// ends with `LiteRtError.cancelled`.
  ///
  /// - Parameters:
  ///   - userData: A pointer that is passed to the function. It must stay valid as long as the model.
  ///   - checkCancelledFunc: The function.
  public func setCancellationFunction(
    userData: UnsafeMutableRawPointer? = nil,
    checkCancelledFunc: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Bool
  ) throws {
    // The pointer is only passed to the app's function.
    nonisolated(unsafe) let userData = userData
    nonisolated(unsafe) let check = checkCancelledFunc
    cancellation = CallContext(asking: { check(userData) })
  }

  /// Resizes the dynamic dimensions of an input to the dimensions of a buffer.
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

extension CompiledModel {
  // MARK: Types

  /// Returns the type of an input as declared in the model file, with -1 for dynamic dimensions.
  public func getInputTensorType(inputIndex: Int, signatureIndex: Int = 0) throws -> TensorType {
    try withInput(inputIndex, signatureIndex) { graph, position in
      TensorType(
        elementType: ElementType(graph.input(at: position).elementType),
        layout: Layout(dimensions: graph.declaredShape(ofInput: position)))
    }
  }

  /// Returns the type of an output as declared in the model file, with -1 for dynamic dimensions.
  public func getOutputTensorType(outputIndex: Int, signatureIndex: Int = 0) throws -> TensorType {
    try withOutput(outputIndex, signatureIndex) { graph, position in
      TensorType(
        elementType: ElementType(graph.output(at: position).elementType),
        layout: Layout(dimensions: graph.declaredShape(ofOutput: position)))
    }
  }

  /// Returns the current layout of an input.
  public func getInputTensorLayout(inputIndex: Int, signatureIndex: Int = 0) throws -> Layout {
    try withInput(inputIndex, signatureIndex) { graph, position in
      Layout(dimensions: graph.input(at: position).shape.dimensions)
    }
  }

  /// Returns the current layouts of the outputs.
  ///
  /// Dimensions that are known only after a run are reported as declared in the model file.
  ///
  /// - Parameters:
  ///   - signatureIndex: The index of the signature.
  ///   - updateAllocation: Whether to take pending input resizes into account.
  /// - Throws: `LiteRtError.runtimeFailure` if the model doesn't accept the current input shapes.
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

  /// Returns the memory requirements of an input for its current shape.
  public func getInputBufferRequirements(inputIndex: Int, signatureIndex: Int = 0) throws -> TensorBufferRequirements {
    try withInput(inputIndex, signatureIndex) { graph, position in
      TensorBufferRequirements(bufferSize: graph.input(at: position).byteCount ?? 0)
    }
  }

  /// Returns the memory requirements of an output for its current shape.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` if the model doesn't accept the current input shapes.
  public func getOutputBufferRequirements(
    outputIndex: Int, signatureIndex: Int = 0
  ) throws -> TensorBufferRequirements {
    try withOutput(outputIndex, signatureIndex) { graph, position in
      try graph.allocate()
      return TensorBufferRequirements(bufferSize: graph.output(at: position).byteCount ?? 0)
    }
  }

  /// Creates buffers for the inputs, with the types in the model file and the current sizes.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for an input without a fixed element size, such as strings.
  public func createInputBuffers(signatureIndex: Int = 0) throws -> [TensorBuffer] {
    try (0..<inputCount(signatureIndex: signatureIndex)).map { index in
      try TensorBuffer(
        tensorType: getInputTensorType(inputIndex: index, signatureIndex: signatureIndex),
        size: getInputBufferRequirements(inputIndex: index, signatureIndex: signatureIndex).bufferSize)
    }
  }

  /// Creates buffers for the outputs, with their current sizes.
  ///
  /// - Throws: `LiteRtError`: `invalidArgument` for an output whose size is known only after a run, `runtimeFailure`
  ///   for one without a fixed element size and if the model doesn't accept the current input shapes.
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

  /// Resizes the dynamic dimensions of an input tensor.
  ///
  /// - Throws: `LiteRtError.invalidArgument` if `dimensions` is empty, has a negative size, or changes a static
  ///   dimension.
  public func resizeInputTensor(inputIndex: Int, dimensions: [Int], signatureIndex: Int = 0) throws {
    try resize(inputIndex, dimensions, signatureIndex) { declared in
      dimensions.count == declared.count && zip(dimensions, declared).allSatisfy { $1 < 0 || $0 == $1 }
    }
  }

  /// Resizes any dimensions of an input tensor. If the model doesn't accept them, an error is thrown only when buffers
  /// are created or the model runs.
  ///
  /// - Throws: `LiteRtError.invalidArgument` if `dimensions` is empty or has a negative size.
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
    _ index: Int, of side: KeyPath<SignatureBindings, [SignatureBindings.Port]>, _ signatureIndex: Int,
    _ body: (GraphRunner, Int) throws -> Result
  ) throws -> Result {
    let signature = try signature(signatureIndex)
    let port = try Self.element(index, of: signature[keyPath: side])
    return try withGraph(signature) { try body($0, port.position) }
  }
}

/// Reads a range of an open file.
enum FilePart {
  /// Returns the bytes of the range.
  ///
  /// - Throws: `LiteRtError.fileIO` if the file cannot be read, or ends before the range does.
  static func read(_ descriptor: Int32, offset: Int, size: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // Read in pieces, so that memory use is limited by the actual size of the file, whatever the requested size.
    var piece = [UInt8](repeating: 0, count: min(size, 1 << 20))
    while bytes.count < size {
      let wanted = min(piece.count, size - bytes.count)
      let (position, overflow) = offset.addingReportingOverflow(bytes.count)
      guard !overflow, let place = off_t(exactly: position) else { throw LiteRtError.fileIO }
      let count = pread(descriptor, &piece, wanted, place)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw LiteRtError.fileIO }
      bytes += piece.prefix(count)
    }
    return bytes
  }
}
