import Foundation
import SwiftletJSON

/// The time of one operator on one thread. Times are the tenth percentile of the runs, in milliseconds.
struct KernelResult {
  let item: OperatorCase
  var time = 0.0
  /// The time of its multiply-adds at the machine's peak.
  var arithmeticBound = 0.0
  /// The time of its memory traffic at the machine's peak, for a working set of its size.
  var trafficBound = 0.0
  var peerTime: Double?
  var peerFailure: String?

  init(_ item: OperatorCase) { self.item = item }

  var isBoundByArithmetic: Bool { arithmeticBound >= trafficBound }

  /// The achieved share of the peak: 1 is the bound. An algorithm that saves multiplications can exceed it.
  var share: Double { max(arithmeticBound, trafficBound) / max(time, 1e-9) }

  /// The throughput in billions of operations or bytes per second.
  var rate: Double {
    (isBoundByArithmetic ? 2 * Double(item.multiplyAdds) : Double(item.traffic.read + item.traffic.written))
      / max(time, 1e-9) / 1e6
  }

  private var unit: String { isBoundByArithmetic ? (item.kind == .float32 ? "GFLOP/s" : "GOP/s") : "GB/s" }

  /// The speedup: the peer's time divided by Swiftlet's.
  var ratio: Double? { peerTime.map { $0 / max(time, 1e-9) } }

  static func header(hasPeer: Bool) -> String {
    "\(TextColumn.pad("operator", 48))        µs      rate         share of peak"
      + (hasPeer ? "  LiteRT µs  ratio" : "") + "\n"
  }

  var row: String {
    var line = TextColumn.pad(item.name, 48)
    line += String(format: "%10.1f %9.1f ", time * 1000, rate) + TextColumn.pad(unit, 7)
    line += String(format: " %7.1f %%    ", share * 100)
    if let peerTime, let ratio {
      line += String(format: " %10.1f %6.2f", peerTime * 1000, ratio)
    } else if let peerFailure {
      line += "  LiteRT: \(peerFailure)"
    }
    return line + "\n"
  }

  var json: JSONValue {
    .object([
      "operator": .string(item.name), "class": .string(item.kind.rawValue), "multiply_adds": .int(item.multiplyAdds),
      "bytes": .int(item.traffic.read + item.traffic.written), "p10_us": .double(time * 1000), "rate": .double(rate),
      "unit": .string(unit), "share_of_peak": .double(share), "peer_p10_us": .optional(peerTime.map { $0 * 1000 }),
      "ratio": .optional(ratio), "peer_error": .optional(peerFailure),
    ])
  }
}
