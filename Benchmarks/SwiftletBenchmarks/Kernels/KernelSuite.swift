import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletKernels
import SwiftletMeasurement
import SwiftletTestSupport

/// Measures single operators on one thread, in turns with the loops that bound them and, where there is one, with
/// LiteRT.
final class KernelSuite {
  private let options: BenchmarkOptions
  private let peer: LiteRTPeer
  private let folder: TemporaryFolder
  /// The same for all operators: they do not depend on them.
  private let multiplyAdds = PeakLoop.multiplyAdds(KernelTable.current.peak)
  private let dotProducts = PeakLoop.dotProducts(KernelTable.current.peak)

  init(_ options: BenchmarkOptions, peer: LiteRTPeer) throws {
    self.options = options
    self.peer = peer
    folder = try TemporaryFolder()
  }

  /// - Throws: `MeasurementFailure` when this engine cannot run the operator.
  func measure(_ item: OperatorCase) throws -> KernelResult {
    let path = folder.path("operator.tflite")
    try AtomicFile.write(TestGraph.bytes([item.graph]), to: path)
    let model = try MeasuredModel(path, options: options.runtime(threads: 1))
    let arithmetic = item.kind == .float32 ? multiplyAdds : dotProducts
    let traffic = PeakLoop.traffic(KernelTable.current.peak, read: item.traffic.read, written: item.traffic.written)
    let alternation = Alternation(seconds: options.seconds / 3)
    let contenders: [any Contender] = [ModelContender(model), arithmetic, traffic]
    var result = KernelResult(item)
    let results: [Alternation.Result]
    do {
      let peer = try peer.load(path, threads: 1, session: model.session)
      results = try alternation.measure(contenders + (peer.map { [$0] } ?? []))
    } catch let error as PeerFailure {
      peer.forget()
      result.peerFailure = error.description
      results = try alternation.measure(contenders)
    }
    // The fastest tenth of the runs: what the code can do, not what its neighbors leave to it.
    let times = results.map { $0.all.quantile(0.1) }
    result.time = times[0]
    result.arithmeticBound = times[1] * Double(item.multiplyAdds) / Double(arithmetic.work)
    result.trafficBound = times[2] * Double(item.traffic.read + item.traffic.written) / Double(traffic.work)
    result.peerTime = times.count > 3 ? times[3] : nil
    return result
  }
}
