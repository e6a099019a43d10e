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

  /// Loads a model and runs it once on the inputs of `session`. The result is valid until the next call.
  ///
  /// - Throws: `PeerFailure` if the engine cannot run the model.
  func load(_ path: String, threads: Int, session: Session) throws -> PeerProcess {
    let process = try process ?? PeerProcess(engine, python: python)
    self.process = process
    _ = try process.load(path, threads: threads, inputs: try inputs(session))
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
  private func inputs(_ session: Session) throws -> [PeerProcess.Input] {
    try session.inputs.enumerated().map { index, spec in
      let file = folder.path("\(index).bin")
      try session.withInput(index) { try Data($0).write(to: URL(fileURLWithPath: file)) }
      return PeerProcess.Input(
        name: spec.name, file: file, shape: spec.shape.dimensions, type: spec.elementType.name)
    }
  }
}
