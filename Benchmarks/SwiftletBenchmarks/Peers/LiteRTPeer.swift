import Foundation
import Swiftlet
import SwiftletMeasurement

/// LiteRT with its default delegate, XNNPACK, in a Python environment that provides it.
final class LiteRTPeer {
  private let python: String?
  private let folder: TemporaryFolder
  private var process: PeerProcess?

  /// Starts the peer.
  ///
  /// - Throws: `PeerFailure` if the Python environment lacks LiteRT.
  init(python: String?) throws {
    self.python = python
    folder = try TemporaryFolder()
    process = try python.map { try PeerProcess(.liteRT, python: $0) }
  }

  var version: String? { process?.version }

  /// Loads a model and runs it once on the inputs of `session`. The result is valid until the next call.
  ///
  /// - Returns: `nil` without a Python environment.
  /// - Throws: `PeerFailure` if LiteRT cannot run the model.
  func load(_ path: String, threads: Int, session: Session) throws -> PeerProcess? {
    guard let python else { return nil }
    let process = try process ?? PeerProcess(.liteRT, python: python)
    self.process = process
    _ = try process.load(path, threads: threads, inputs: try inputs(session))
    return process
  }

  /// Measures the cold start in a fresh process, or in one that has only run another model.
  func freshStart(
    _ path: String, after other: MeasuredModel? = nil, threads: Int, session: Session
  ) throws -> FreshStart? {
    guard let python else { return nil }
    let process = try PeerProcess(.liteRT, python: python)
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
      return PeerProcess.Input(file: file, shape: spec.shape.dimensions)
    }
  }
}
