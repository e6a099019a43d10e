import Foundation
import SwiftletJSON
import SwiftletKernels
import SwiftletMeasurement

/// The peak throughput of one core of this machine with the kernels in use.
struct MachinePeaks {
  /// Billions of floating-point or int8 operations per second; a multiply-add counts as two.
  var float32: Double
  var bytes: Double
  /// Billions of bytes read and written per second, for working sets of different sizes.
  var bandwidths: [(name: String, bytes: Int, read: Double, scale: Double)]

  static func measure(seconds: Double) throws -> MachinePeaks {
    let peak = PeakKernels.current
    let turns = Alternation(seconds: seconds)
    func rate(_ loop: PeakLoop) throws -> Double {
      Double(loop.work) / (try turns.measure([loop])[0].all.quantile(0.1) * 1e6)
    }
    let sizes = [("16 KiB", 1 << 14), ("512 KiB", 1 << 19), ("8 MiB", 1 << 23), ("256 MiB", 1 << 28)]
    return MachinePeaks(
      float32: 2 * (try rate(.multiplyAdds(peak))), bytes: 2 * (try rate(.dotProducts(peak))),
      bandwidths: try sizes.map { name, bytes in
        (
          name, bytes, try rate(.traffic(peak, read: bytes, written: 0)),
          try rate(.traffic(peak, read: bytes / 2, written: bytes / 2))
        )
      })
  }

  /// Returns the multiply-adds per millisecond of the arithmetic of a class, or `nil` if it isn't measured.
  func multiplyAdds(_ kind: ArithmeticClass) -> Double? {
    switch kind {
    case .float32: float32 / 2 * 1e6
    case .bytes, .dynamicRange: bytes / 2 * 1e6
    case .int16: nil
    }
  }

  var text: String {
    var text = String(
      format: "One core, kernels %@: float32 %.1f GFLOP/s, bytes %.1f GOP/s\n", KernelTable.current.name, float32, bytes
    )
    for item in bandwidths {
      text += String(
        format: "  working set %@: reading %.1f GB/s, reading and writing %.1f GB/s\n", item.name, item.read, item.scale
      )
    }
    return text
  }

  var json: JSONValue {
    .object([
      "float32_gflops": .double(float32), "bytes_gops": .double(bytes),
      "bandwidths": .array(
        bandwidths.map {
          .object([
            "working_set_bytes": .int($0.bytes), "read_gb_per_s": .double($0.read),
            "read_write_gb_per_s": .double($0.scale),
          ])
        }),
    ])
  }
}
