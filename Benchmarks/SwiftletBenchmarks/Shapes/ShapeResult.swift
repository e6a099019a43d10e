import Foundation
import SwiftletJSON

/// The time of one draw: the fastest tenth of the runs, in milliseconds.
struct ShapeResult {
  var draw: ShapeDraw
  var threads: Int
  /// The bytes of inputs, constants, and outputs.
  var bytes: Int
  var time: Double
  var roofline: Roofline
  /// The implementations of the operators, in order.
  var implementation: String

  var share: Double { roofline.share(ofTime: time, multiplyAdds: draw.multiplyAdds, bytes: bytes) }

  var isBoundByArithmetic: Bool { roofline.isBoundByArithmetic(multiplyAdds: draw.multiplyAdds, bytes: bytes) }

  /// Billions of operations and of bytes per second.
  var operationRate: Double { Double(draw.operations) / max(time, 1e-9) / 1e6 }
  var byteRate: Double { Double(bytes) / max(time, 1e-9) / 1e6 }

  static let header =
    "\(TextColumn.pad("shape", 72))         µs     Gop/s     GB/s    share  bound       implementation\n"

  var row: String {
    TextColumn.pad(draw.name + (threads == 1 ? "" : ", \(threads) threads"), 72)
      + String(format: " %10.1f %9.1f %8.1f %6.1f %%  ", time * 1000, operationRate, byteRate, share * 100)
      + TextColumn.pad(isBoundByArithmetic ? "arithmetic" : "memory", 10) + "  \(implementation)\n"
  }

  var json: JSONValue {
    .object([
      "shape": .string(draw.name), "class": .string(draw.shapeClass.rawValue), "type": .string(draw.type.rawValue),
      "threads": .int(threads), "multiply_adds": .int(draw.multiplyAdds), "bytes": .int(bytes),
      "p10_us": .double(time * 1000), "gops": .double(operationRate), "gb_per_s": .double(byteRate),
      "peak_gops": .double(2 * roofline.arithmetic / 1e6), "bandwidth_gb_per_s": .double(roofline.bandwidth / 1e6),
      "bound": .string(isBoundByArithmetic ? "arithmetic" : "memory"), "share": .double(share),
      "implementation": .string(implementation),
    ])
  }
}
