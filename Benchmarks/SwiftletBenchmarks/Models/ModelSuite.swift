import Swiftlet
import SwiftletMeasurement

/// Measures models: latency, start and memory, alone or in turns with LiteRT.
struct ModelSuite {
  /// Fresh processes that the start is measured in.
  private static let starts = 3

  private let options: BenchmarkOptions
  private let peer: LiteRTPeer

  init(_ options: BenchmarkOptions, peer: LiteRTPeer) {
    self.options = options
    self.peer = peer
  }

  /// - Throws: `MeasurementFailure` when this engine cannot run the model; what the peer cannot do is part of the result.
  func measure(name: String, path: String, threads: Int) throws -> ModelResult {
    let runtime = options.runtime(threads: threads)
    let measured = try MeasuredModel(path, options: runtime)
    let contender = ModelContender(measured)
    let alternation = Alternation(seconds: options.seconds)
    var result = ModelResult(
      name: name, kind: ArithmeticClass(measured.model), operatorCount: measured.compiled.operatorNames.count, threads: threads)
    do {
      if let process = try peer.load(path, threads: threads, session: measured.session) {
        let both = try alternation.measure([contender, process])
        var ours: [FreshStart] = []
        var theirs: [FreshStart] = []
        for _ in 0..<Self.starts {
          ours.append(try FreshStart.measure(path, options: runtime))
          theirs += [try peer.freshStart(path, threads: threads, session: measured.session)].compactMap(\.self)
        }
        result.ours = EngineResult(both[0].all, start: FreshStart(mediansOf: ours))
        result.peer = EngineResult(both[1].all, start: FreshStart(mediansOf: theirs))
        result.ratioSpread = both[0].speeds(against: both[1])
        return result
      }
    } catch let error as PeerFailure {
      result.peerFailure = error.description
      peer.forget()
    }
    let starts = try (0..<Self.starts).map { _ in try FreshStart.measure(path, options: runtime) }
    result.ours = EngineResult(try alternation.measure([contender])[0].all, start: FreshStart(mediansOf: starts))
    return result
  }
}
