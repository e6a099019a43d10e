import Foundation
import SwiftletJSON

/// What one operator took on one thread. Times are those of the fastest tenth of the runs, in milliseconds.
struct KernelResult {
  let item: OperatorCase
  var time = 0.0
  /// What its multiply-adds take at the machine's peak.
  var arithmeticBound = 0.0
  /// What its bytes take at the machine's peak, in the cache they fit.
  var trafficBound = 0.0
  var peerTime: Double?
  var peerFailure: String?

  init(_ item: OperatorCase) { self.item = item }

  var isBoundByArithmetic: Bool { arithmeticBound >= trafficBound }

  /// How much of the peak it reaches: 1 is the bound. An algorithm that saves multiplications may go beyond.
  var share: Double { max(arithmeticBound, trafficBound) / max(time, 1e-9) }

  /// Thousand million operations, or bytes, a second.
  var rate: Double {
    (isBoundByArithmetic ? 2 * Double(item.multiplyAdds) : Double(item.traffic.read + item.traffic.written))
      / max(time, 1e-9) / 1e6
  }

  private var unit: String { isBoundByArithmetic ? (item.kind == .float32 ? "GFLOP/s" : "GOP/s") : "GB/s" }

  /// The peer's time over ours.
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
