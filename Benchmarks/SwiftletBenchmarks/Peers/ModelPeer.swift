import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletMeasurement

/// An engine that runs the same model files, in a Python environment that provides it.
final class ModelPeer {
  let engine: PeerProcess.Engine
  let version: String
  private let python: String
  private let folder: TemporaryFolder
  private var process: PeerProcess?

  /// Starts the peer.
  ///
  /// - Throws: `PeerFailure` if the Python environment lacks the engine.
  private init(_ engine: PeerProcess.Engine, python: String) throws {
    self.engine = engine
    self.python = python
    folder = try TemporaryFolder()
    let process = try PeerProcess(engine, python: python)
    version = process.version
    self.process = process
  }

  /// Starts the peers of a run: those that the options name, or all that the Python environment has.
  ///
  /// - Throws: `PeerFailure` if the environment lacks a named engine, or has none.
  static func all(_ options: BenchmarkOptions) throws -> [ModelPeer] {
    guard let python = options.python else { return [] }
    if let engines = options.engines { return try engines.map { try ModelPeer($0, python: python) } }
    var peers: [ModelPeer] = []
    var failures: [PeerFailure] = []
    for engine in PeerProcess.Engine.ofModels {
      do {
        peers.append(try ModelPeer(engine, python: python))
      } catch let error as PeerFailure {
        failures.append(error)
        StandardStreams.error("\(engine.name) isn't measured: \(error)\n")
      }
    }
    if let failure = failures.first, peers.isEmpty { throw failure }
    return peers
  }

  /// Loads a model, runs it once on the inputs of `session`, which has run once too, and compares the results. The
  /// process is valid until the next call.
  ///
  /// - Throws: `PeerFailure` if the engine cannot run the model.
  func load(_ path: String, threads: Int, session: Session) throws -> PeerProcess {
    let process = try process ?? PeerProcess(engine, python: python)
    self.process = process
    _ = try process.load(path, threads: threads, inputs: try inputs(session), outputs: try outputs(session))
    return process
  }

  /// Measures the cold start in a fresh process, or in one that has only run another model.
  func freshStart(
    _ path: String, after other: MeasuredModel? = nil, threads: Int, session: Session
  ) throws -> FreshStart {
    let process = try PeerProcess(engine, python: python)
    if let other { _ = try process.load(other.path, threads: threads, inputs: try inputs(other.session)) }
    return try process.load(path, threads: threads, inputs: try inputs(session))
  }

  /// Terminates the process, which may have crashed; the next model gets a new one.
  func forget() { process = nil }

  /// Writes the session's inputs to files.
  private func inputs(_ session: Session) throws -> [PeerProcess.Tensor] {
    try session.inputs.enumerated().map { index, spec in
      try session.withInput(index) { try tensor(spec, UnsafeRawBufferPointer($0), file: "input-\(index)") }
    }
  }

  /// Writes the session's outputs to files; `nil` if some are strings, which engines don't agree on how to store.
  private func outputs(_ session: Session) throws -> [PeerProcess.Tensor]? {
    guard !session.outputs.contains(where: { $0.elementType == .string }) else { return nil }
    return try session.outputs.enumerated().map { index, spec in
      try session.withOutput(index) { try tensor(spec, $0, file: "output-\(index)") }
    }
  }

  private func tensor(
    _ spec: TensorSpec, _ data: UnsafeRawBufferPointer, file: String
  ) throws -> PeerProcess.Tensor {
    let path = folder.path(file + ".bin")
    try Data(data).write(to: URL(fileURLWithPath: path))
    let quantization = spec.quantization.flatMap { $0.scales.count == 1 ? $0 : nil }
    return PeerProcess.Tensor(
      name: spec.name, file: path, shape: spec.shape.dimensions, type: spec.elementType.name,
      scale: quantization?.scales.first, zeroPoint: quantization?.zeroPoints.first)
  }
}
