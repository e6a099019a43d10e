import Swiftlet
import SwiftletCommandLine
import SwiftletMeasurement
import SwiftletTestSupport

/// Measures latency, cold start, and memory of models, alone or alternating with the peers.
struct ModelSuite {
  /// The number of fresh processes per start measurement.
  private static let starts = 3

  private let options: BenchmarkOptions
  private let peers: [ModelPeer]
  private let peaks: MachinePeaks
  private let folder: TemporaryFolder
  /// A model of one small operator, which loads an engine's code into memory before a model's memory is measured.
  private let small: MeasuredModel

  init(_ options: BenchmarkOptions, peers: [ModelPeer], peaks: MachinePeaks) throws {
    self.options = options
    self.peers = peers
    self.peaks = peaks
    folder = try TemporaryFolder()
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 4])
    graph.add(.relu, [data], [graph.output(.float32, [1, 4])])
    let path = folder.path("small.tflite")
    try AtomicFile.write(TestGraph.bytes([graph]), to: path)
    small = try MeasuredModel(path, options: RuntimeOptions())
  }

  /// Measures one model.
  ///
  /// - Throws: `MeasurementFailure` if Swiftlet cannot run the model. Failures of peers are part of the result.
  func measure(name: String, path: String, threads: Int) throws -> ModelResult {
    let runtime = options.runtime(threads: threads)
    let measured = try MeasuredModel(path, options: runtime)
    var result = ModelResult(
      name: name, kind: ArithmeticClass(measured.model), operatorCount: measured.compiled.operatorNames.count,
      threads: threads, multiplyAdds: measured.compiled.multiplyAdds)
    result.peak = peaks.multiplyAdds(result.kind).map { $0 * Double(threads) }
    let rounds = try alternate(measured, threads: threads)
    let starts = try (0..<Self.starts).map { _ in try FreshStart.measure(path, options: runtime) }
    let ours = EngineResult(
      rounds.ours, start: FreshStart(mediansOf: starts), memoryBytes: try memoryBytes(path, runtime))
    result.ours = ours
    result.peers = try peers.enumerated().map { index, peer in
      guard let theirs = rounds.theirs[peer.engine] else {
        return PeerResult(peer.engine, failure: rounds.failures[peer.engine] ?? "")
      }
      // Cold starts of all peers would take longer than the runs, so those of the first one count.
      let start = index == 0 ? try self.start(of: peer, measured, threads: threads) : nil
      return PeerResult(
        peer.engine, ours: ours, theirs: EngineResult(theirs, start: start?.fresh, memoryBytes: start?.memoryBytes),
        spread: rounds.ours.speeds(against: theirs), difference: rounds.differences[peer.engine])
    }
    return result
  }

  /// The runs of all engines in the same rounds, and why the others have none.
  private struct Rounds {
    var ours: Alternation.Result
    var theirs: [PeerProcess.Engine: Alternation.Result] = [:]
    var differences: [PeerProcess.Engine: Double] = [:]
    var failures: [PeerProcess.Engine: String] = [:]
  }

  private func alternate(_ measured: MeasuredModel, threads: Int) throws -> Rounds {
    var failures: [PeerProcess.Engine: String] = [:]
    func leaveOut(_ error: PeerFailure) {
      failures[error.engine] = error.description
      peers.first { $0.engine == error.engine }?.forget()
    }
    var running: [PeerProcess] = []
    for peer in peers {
      do {
        running.append(try peer.load(measured.path, threads: threads, session: measured.session))
      } catch let error as PeerFailure {
        leaveOut(error)
      }
    }
    while true {
      do {
        let results = try Alternation(seconds: options.seconds).measure([ModelContender(measured)] + running)
        var rounds = Rounds(ours: results[0], failures: failures)
        for (process, result) in zip(running, results.dropFirst()) {
          rounds.theirs[process.engine] = result
          rounds.differences[process.engine] = process.difference
        }
        return rounds
      } catch let error as PeerFailure {
        // The others are measured again without the peer that failed.
        leaveOut(error)
        running.removeAll { $0.engine == error.engine }
      }
    }
  }

  /// Measures the cold start of a peer; `nil` if a fresh process fails.
  private func start(
    of peer: ModelPeer, _ measured: MeasuredModel, threads: Int
  ) throws -> (fresh: FreshStart, memoryBytes: Int)? {
    do {
      let starts = try (0..<Self.starts).map { _ in
        try peer.freshStart(measured.path, threads: threads, session: measured.session)
      }
      let warm = try peer.freshStart(measured.path, after: small, threads: threads, session: measured.session)
      return (FreshStart(mediansOf: starts), warm.memoryBytes)
    } catch is PeerFailure {
      return nil
    }
  }

  private func memoryBytes(_ path: String, _ runtime: RuntimeOptions) throws -> Int {
    try FreshStart.measure(path, after: small.path, options: runtime).memoryBytes
  }
}
