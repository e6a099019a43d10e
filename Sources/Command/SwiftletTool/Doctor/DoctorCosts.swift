import Swiftlet
import SwiftletDiagnosis
import SwiftletMeasurement
import SwiftletOperators
import SwiftletSchema

/// The time of each operator compared with what the machine could do, and the memory of a run.
struct DoctorCosts {
  /// One operator of a run. Fused operators count as the one that they were fused into.
  struct Operator {
    var milliseconds: Double
    /// The part of the time of the run.
    var share: Double
    var multiplyAdds: Int
    var kernel: String
    /// The part of the speed that the machine's arithmetic or memory allows; `nil` for operators without multiply-adds.
    var rooflineShare: Double?
  }

  private(set) var operators: [Int: Operator] = [:]
  let peak: MachinePeak
  let arenaBytes: Int
  /// The operator during which the most memory is in use; `nil` for none.
  let peakOperator: Int?
  private(set) var totalMilliseconds = 0.0

  private static let minimumRuns = 3
  private static let maximumRuns = 20
  private static let time = Duration.milliseconds(300)

  /// Measures a model on one thread, with the synthetic inputs of measurements.
  init(_ model: Model, options: RuntimeOptions) throws {
    var options = options
    options.threads = 1
    options.isProfiling = true
    let compiled = try CompiledModel(model, options: options)
    let session = try Session(compiled)
    try SyntheticInput.fill(session)
    try session.run()
    let before = session.profile
    let end = ContinuousClock.now + Self.time
    var runs = 0
    while runs < Self.minimumRuns || runs < Self.maximumRuns && ContinuousClock.now < end {
      try session.run()
      runs += 1
    }
    peak = try MachinePeak()
    let occupancy = compiled.arenaOccupancy
    arenaBytes = occupancy.byteCount
    peakOperator = Self.peakOperator(occupancy)
    let spent = zip(before, session.profile).map { ($1.duration - $0.duration) / .milliseconds(1) / Double(runs) }
    totalMilliseconds = spent.reduce(0, +)
    let traffic = Traffic(model.file.subgraphs[0])
    for (item, milliseconds) in zip(session.profile, spent) {
      operators[item.index] = Operator(
        milliseconds: milliseconds, share: milliseconds / max(totalMilliseconds, 1e-9),
        multiplyAdds: item.multiplyAdds, kernel: item.implementation,
        rooflineShare: roofline(item, milliseconds, bytes: traffic.bytes(of: item.index)))
    }
  }

  private static func peakOperator(_ occupancy: ArenaOccupancy) -> Int? {
    var live = [Int](repeating: 0, count: occupancy.operators.count)
    for block in occupancy.blocks {
      for index in block.lifetime where live.indices.contains(index) { live[index] += block.byteCount }
    }
    return live.indices.max { live[$0] < live[$1] }.flatMap { occupancy.operators[$0].operatorIndex }
  }

  private func roofline(_ item: Session.OperatorTime, _ milliseconds: Double, bytes: Int) -> Double? {
    guard item.multiplyAdds > 0, milliseconds > 0 else { return nil }
    let operations = 2 * Double(item.multiplyAdds)
    let arithmetic = item.implementation.contains("int8") ? peak.int8 : peak.float32
    guard arithmetic > 0, peak.bandwidth > 0 else { return nil }
    let least = max(operations / arithmetic, Double(bytes) / peak.bandwidth)
    return least / (milliseconds / 1000)
  }

  /// The operators that take much of the time and use little of what the machine can do.
  var slow: [(operator: Int, cost: Operator)] {
    operators.filter { $0.value.share > 0.05 && totalMilliseconds > 0.1 }
      .filter { $0.value.rooflineShare.map { $0 < 0.15 } ?? $0.value.kernel.hasPrefix("loop") }
      .sorted { $0.value.share > $1.value.share }.map { ($0.key, $0.value) }
  }
}

/// The bytes that the operators of a graph read and write.
private struct Traffic {
  private let graph: Subgraph

  init(_ graph: Subgraph) { self.graph = graph }

  func bytes(of operation: Int) -> Int {
    guard graph.operators.indices.contains(operation) else { return 0 }
    let tensors = graph.operators[operation].inputs.compactMap(\.self) + graph.operators[operation].outputs
    return tensors.reduce(0) { total, tensor in
      let description = graph.tensors[tensor]
      return total + (description.type.byteCount(elements: Shape(description.shape).elementCount) ?? 0)
    }
  }
}
