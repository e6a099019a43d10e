import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletKernels
import SwiftletMeasurement
import SwiftletTestSupport

/// Measures single operators on one thread, alternating with the loops that bound them and, if available, with LiteRT.
final class KernelSuite {
  private let options: BenchmarkOptions
  private let peer: ModelPeer?
  private let folder: TemporaryFolder
  /// The same loop for all operators, because it doesn't depend on them.
  private let multiplyAdds = PeakLoop.multiplyAdds(PeakKernels.current)
  private let dotProducts = PeakLoop.dotProducts(PeakKernels.current)

  init(_ options: BenchmarkOptions, peer: ModelPeer?) throws {
    self.options = options
    self.peer = peer
    folder = try TemporaryFolder()
  }

  /// Measures one operator.
  ///
  /// - Throws: `MeasurementFailure` if Swiftlet cannot run the operator.
  func measure(_ item: OperatorCase) throws -> KernelResult {
    let path = folder.path("operator.tflite")
    try AtomicFile.write(TestGraph.bytes([item.graph]), to: path)
    let model = try MeasuredModel(path, options: options.runtime(threads: 1))
    let arithmetic = item.kind == .float32 ? multiplyAdds : dotProducts
    let traffic = PeakLoop.traffic(PeakKernels.current, read: item.traffic.read, written: item.traffic.written)
    let alternation = Alternation(seconds: options.seconds / 3)
    let contenders: [any Contender] = [ModelContender(model), arithmetic, traffic]
    var result = KernelResult(item)
    let results: [Alternation.Result]
    do {
      let peer = try peer?.load(path, threads: 1, session: model.session)
      results = try alternation.measure(contenders + (peer.map { [$0] } ?? []))
    } catch let error as PeerFailure {
      peer?.forget()
      result.peerFailure = error.description
      results = try alternation.measure(contenders)
    }
    // The tenth percentile shows the speed of the code without disturbance by other processes.
    let times = results.map { $0.all.quantile(0.1) }
    result.time = times[0]
    result.arithmeticBound = times[1] * Double(item.multiplyAdds) / Double(arithmetic.work)
    result.trafficBound = times[2] * Double(item.traffic.read + item.traffic.written) / Double(traffic.work)
    result.peerTime = times.count > 3 ? times[3] : nil
    return result
  }
}
