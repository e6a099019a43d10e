import SwiftletJSON
import SwiftletMeasurement

/// The ratios of all models of one class with one number of threads. Each model is compared with its fastest peer.
struct RatioGroup {
  /// The ratios to one peer, of the models that it can run.
  struct Peer {
    var engine: PeerProcess.Engine
    var count: Int
    var mean: Double?
  }

  var name: String
  var threads: Int
  var count: Int
  var mean: Double
  var lowest: Double
  var lowestName: String
  var peers: [Peer]
  /// Cold start and memory, compared with the first peer.
  var startMean: Double?
  var memoryMean: Double?
  var freshMemoryMean: Double?

  /// Returns one group per class and thread count that has ratios; single operators are a class of their own.
  static func groups(_ results: [ModelResult]) -> [RatioGroup] {
    let names = ArithmeticClass.allCases.map(\.rawValue) + [singleOperators]
    let threads = Set(results.map(\.threads)).sorted()
    return names.flatMap { name in
      threads.compactMap { count in
        RatioGroup(
          name, threads: count, results.filter { $0.threads == count && Self.name(of: $0) == name && $0.ratio != nil })
      }
    }
  }

  private static let singleOperators = "one operator"

  /// Returns the name of a result's group.
  static func name(of result: ModelResult) -> String {
    result.isSingleOperator ? singleOperators : result.kind.rawValue
  }

  private init?(_ name: String, threads: Int, _ results: [ModelResult]) {
    let ratios = results.compactMap(\.ratio)
    guard let mean = geometricMean(ratios), let worst = results.min(by: { ($0.ratio ?? 0) < ($1.ratio ?? 0) }),
      let lowest = worst.ratio
    else { return nil }
    self.name = name
    self.threads = threads
    count = ratios.count
    self.mean = mean
    self.lowest = lowest
    lowestName = worst.name
    peers = worst.peers.map(\.engine).map { engine in
      let ratios = results.compactMap { $0.peers.first { $0.engine == engine }?.ratio }
      return Peer(engine: engine, count: ratios.count, mean: geometricMean(ratios))
    }
    startMean = geometricMean(results.compactMap(\.first?.startRatio))
    memoryMean = geometricMean(results.compactMap(\.first?.memoryRatio))
    freshMemoryMean = geometricMean(results.compactMap(\.first?.freshMemoryRatio))
  }

  var json: JSONValue {
    let peers = peers.map { peer in
      JSONValue.Member(
        key: peer.engine.rawValue, value: .object(["models": .int(peer.count), "ratio": .optional(peer.mean)]))
    }
    return .object([
      "class": .string(name), "threads": .int(threads), "models": .int(count), "ratio": .double(mean),
      "lowest_ratio": .double(lowest), "lowest_model": .string(lowestName), "peers": .object(peers),
      "start_ratio": .optional(startMean), "memory_ratio": .optional(memoryMean),
      "fresh_memory_ratio": .optional(freshMemoryMean),
    ])
  }
}
