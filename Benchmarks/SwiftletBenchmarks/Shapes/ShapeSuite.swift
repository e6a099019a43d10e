import Swiftlet
import SwiftletCommandLine
import SwiftletEngine
import SwiftletKernels
import SwiftletMeasurement
import SwiftletSchema
import SwiftletTestSupport

/// Measures operators with random shapes, alternating with the loops that bound them.
final class ShapeSuite {
  /// One draw on a number of threads.
  struct Case {
    var draw: ShapeDraw
    var threads: Int
  }

  private let options: BenchmarkOptions
  private let folder: TemporaryFolder
  private let multiplyAdds = PeakLoop.multiplyAdds(PeakKernels.current)
  private let dotProducts = PeakLoop.dotProducts(PeakKernels.current)

  init(_ options: BenchmarkOptions) throws {
    self.options = options
    folder = try TemporaryFolder()
  }

  static func cases(_ options: BenchmarkOptions) -> [Case] {
    ShapeSpace.draws(options.count, seed: UInt64(options.seed), where: options.includes)
      .flatMap { draw in options.threads.map { Case(draw: draw, threads: $0) } }
  }

  /// The share of `--seconds` that a draw gets.
  private static let timeShare = 1.0 / 15

  private var alternation: Alternation {
    Alternation(seconds: options.seconds * Self.timeShare, rounds: 5, blockLength: 5)
  }

  /// Returns the time in milliseconds of a model that does next to nothing. Every run of every model contains it.
  func callTime() throws -> Double {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    graph.add(.add, [input, input], [graph.output(.float32, [1])], options: AddOptions.empty)
    let model = try measured(graph, threads: 1)
    return try alternation.measure([ModelContender(model)])[0].all.quantile(0.1)
  }

  /// Measures one draw. With more than one thread, the bounds are those of as many cores.
  ///
  /// - Throws: `MeasurementFailure` if Swiftlet cannot run the operator.
  func measure(_ item: Case) throws -> ShapeResult {
    let model = item.draw.model
    let session = try measured(model.graph, threads: item.threads)
    let arithmetic = model.kind == .float32 ? multiplyAdds : dotProducts
    let traffic = PeakLoop.traffic(PeakKernels.current, read: model.traffic.read, written: model.traffic.written)
    let results = try alternation.measure([
      ShapeContender(session, threads: item.threads), arithmetic, traffic,
    ])
    let times = results.map { $0.all.quantile(0.1) }, cores = Double(item.threads)
    let products = Double(arithmetic.work) / times[1] / (model.kind == .int16 ? 2 : 1)
    return ShapeResult(
      draw: item.draw, threads: item.threads, bytes: model.traffic.read + model.traffic.written, time: times[0],
      roofline: Roofline(arithmetic: products * cores, bandwidth: Double(traffic.work) / times[2] * cores),
      implementation: session.compiled.implementations.map(\.implementation).joined(separator: " + "))
  }

  private func measured(_ graph: TestGraph, threads: Int) throws -> MeasuredModel {
    let path = folder.path("shape.tflite")
    try AtomicFile.write(TestGraph.bytes([graph]), to: path)
    return try MeasuredModel(path, options: options.runtime(threads: threads))
  }
}
