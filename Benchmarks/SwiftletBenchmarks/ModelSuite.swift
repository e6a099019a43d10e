import Foundation
import Swiftlet
import SwiftletMeasurement

/// Measures models: latency, start and memory, alone or in turns with LiteRT.
final class ModelSuite {
  /// Fresh processes that the start is measured in.
  private static let starts = 3

  private let options: BenchmarkOptions
  private var peer: PeerProcess?

  /// - Throws: `PeerFailure` when the peer cannot be started.
  init(_ options: BenchmarkOptions) throws {
    self.options = options
    peer = try options.python.map { try PeerProcess(.liteRT, python: $0) }
  }

  var peerVersion: String? { peer?.version }

  /// - Throws: `MeasurementFailure` when this engine cannot run the model; what the peer cannot do is part of the result.
  func measure(name: String, path: String, threads: Int) throws -> ModelResult {
    let runtime = options.runtime(threads: threads)
    let measured = try MeasuredModel(path, options: runtime)
    let inputs = try InputFiles(measured.session)
    let contender = ModelContender(measured)
    let alternation = Alternation(seconds: options.seconds)
    var result = ModelResult(
      name: name, kind: ArithmeticClass(measured.model), operatorCount: measured.compiled.operatorNames.count, threads: threads)
    if let python = options.python {
      do {
        let peer = try peer ?? PeerProcess(.liteRT, python: python)
        self.peer = peer
        _ = try peer.load(path, threads: threads, inputs: inputs.list)
        let both = try alternation.measure([contender, peer])
        let starts = try (0..<Self.starts).map { _ in
          let ours = try FreshStart.measure(path, options: runtime)
          return (ours, try PeerProcess(.liteRT, python: python).load(path, threads: threads, inputs: inputs.list))
        }
        result.ours = EngineResult(both[0].all, start: FreshStart(mediansOf: starts.map(\.0)))
        result.peer = EngineResult(both[1].all, start: FreshStart(mediansOf: starts.map(\.1)))
        result.ratioSpread = both[0].speeds(against: both[1])
        return result
      } catch let error as PeerFailure {
        result.peerFailure = error.description
        // It may have crashed; the next model gets a new one.
        peer = nil
      }
    }
    result.ours = EngineResult(
      try alternation.measure([contender])[0].all,
      start: FreshStart(mediansOf: try (0..<Self.starts).map { _ in try FreshStart.measure(path, options: runtime) }))
    return result
  }
}

/// A session's inputs in files, for another process to read; they go away with the value.
private final class InputFiles {
  private let folder: URL
  private(set) var list: [PeerProcess.Input] = []

  init(_ session: Session) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-benchmarks-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, spec) in session.inputs.enumerated() {
      let file = folder.appendingPathComponent("\(index).bin")
      try session.withInput(at: index) { try Data($0).write(to: file) }
      list.append(.init(file: file.path, shape: spec.shape.dimensions))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
