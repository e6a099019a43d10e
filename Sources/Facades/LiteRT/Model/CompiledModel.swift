public import Foundation
import SwiftletEngine
import SwiftletBase
import TensorFlowLiteCommon

/// A model ready to run, by its signatures.
///
/// A model without signatures has one here, by the name `<placeholder signature>`, of its main graph.
///
/// - Thread safety: calls wait for each other; buffers, options and what belongs together are for the app to guard.
public final class CompiledModel {
  /// The environment that the model was compiled in.
  public let environment: Environment
  /// The options that the model was compiled with; those for the processor if none were given.
  public let options: Options?
  let runner: ModelRunner
  /// What ``addMetadata(key:data:)`` was given.
  var addedMetadata: [String: Data] = [:]
  /// What is asked while the model runs.
  var cancellation: CallContext?

  /// Compiles a model file.
  ///
  /// - Throws: `LiteRtError`: `fileIO`, `invalidFlatbuffer`, `compilation` for operators that are not supported,
  ///   `invalidArgument` for an external tensor binding that fits no input.
  public convenience init(filePath: String, environment: Environment, options: Options? = nil) throws {
    try self.init(environment, options) { try Model(contentsOf: filePath) }
  }

  /// Compiles a model in memory, which is copied.
  ///
  /// - Throws: as `init(filePath:environment:options:)`.
  public convenience init(data: Data, environment: Environment, options: Options? = nil) throws {
    guard !data.isEmpty else { throw LiteRtError.invalidArgument }
    try self.init(environment, options) { try Model(bytes: [UInt8](data)) }
  }

  /// Compiles a model that is a part of an open file, which is read and neither moved in nor closed.
  ///
  /// - Throws: as `init(filePath:environment:options:)`.
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

  /// The names of the signatures; never empty.
  public func signatureKeys() throws -> [String] { runner.signatures.map(\.key) }

  /// How many inputs a signature has.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds`, as all calls that take the index of a signature, an input or an output.
  public func inputCount(signatureIndex: Int = 0) throws -> Int { try signature(signatureIndex).inputs.count }

  /// How many outputs a signature has.
  public func outputCount(signatureIndex: Int = 0) throws -> Int { try signature(signatureIndex).outputs.count }

  /// The name of an input within its signature.
  public func inputName(inputIndex: Int, signatureIndex: Int = 0) throws -> String {
    try Self.element(inputIndex, of: signature(signatureIndex).inputs).name
  }

  /// The name of an output within its signature.
  public func outputName(outputIndex: Int, signatureIndex: Int = 0) throws -> String {
    try Self.element(outputIndex, of: signature(signatureIndex).outputs).name
  }

  /// Whether everything runs on the accelerators that were asked for: where that is the processor alone.
  public func isFullyAccelerated() throws -> Bool { try options?.hardwareAccelerators() == [.cpu] }

  // MARK: Metadata

  /// What the file stores under a name besides the model, or was added under it.
  ///
  /// - Throws: `LiteRtError.notFound`.
  public func metadata(key: String) throws -> Data {
    if let data = addedMetadata[key] { return data }
    guard let bytes = runner.metadata(named: key) else { throw LiteRtError.notFound }
    return Data(bytes)
  }

  /// Adds something to what ``metadata(key:)`` finds. The file is not changed.
  ///
  /// - Throws: `LiteRtError.alreadyExists`.
  public func addMetadata(key: String, data: Data) throws {
    guard addedMetadata[key] == nil, runner.metadata(named: key) == nil else { throw LiteRtError.alreadyExists }
    addedMetadata[key] = data
  }

  // MARK: Messages

  /// Not available: there is no buffer of messages. `Environment.messageHandler` receives them.
  ///
  /// - Throws: `LiteRtError.unsupported`.
  public func clearErrors() throws { throw LiteRtError.unsupported }

  /// Not available: there is no buffer of messages. `Environment.messageHandler` receives them.
  ///
  /// - Throws: `LiteRtError.unsupported`.
  public func getErrorMessages() throws -> String { throw LiteRtError.unsupported }

  // MARK: Inside

  func signature(_ index: Int) throws -> SignatureEnds { try Self.element(index, of: runner.signatures) }

  static func element<Element>(_ index: Int, of elements: [Element]) throws -> Element {
    guard elements.indices.contains(index) else { throw LiteRtError.indexOutOfBounds }
    return elements[index]
  }

  /// Gives `body` the graph of a signature.
  func withGraph<Result>(
    _ signature: SignatureEnds, _ other: LiteRtError = .runtimeFailure, _ body: (GraphRunner) throws -> Result
  ) throws -> Result {
    try reportingLiteRtErrors(other) { try runner.withGraph(signature, body) }
  }
}
