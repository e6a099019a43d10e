import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// Eight-bit values moved from one scale and zero point to another, as a table of all 256 quantized values.
///
/// - Source: the reference runtime's joining of uint8 inputs: single precision, one rounding, half away from zero.
struct ByteRequantization: Sendable {
  private let table: AlignedBytes

  /// Creates the map from `input` to `output`, or `nil` if the quantized values stay: the tensors are not both
  /// quantized eight-bit ones, or alike.
  ///
  /// - Throws: for scales that are not positive.
  init?(from input: TensorSpec, to output: TensorSpec) throws {
    guard input.elementType == output.elementType, let range = input.elementType.quantizedRange, range.count == 256,
      input.expandedFrom == nil,
      let from = input.quantization, let to = output.quantization,
      let inputScale = from.scales.first, let outputScale = to.scales.first,
      let inputZero = from.zeroPoints.first, let outputZero = to.zeroPoints.first,
      inputScale != outputScale || inputZero != outputZero
    else { return nil }
    guard inputScale > 0, inputScale.isFinite, outputScale > 0, outputScale.isFinite else {
      throw RuntimeError(.invalidModel, "\(input) or \(output) has a scale that is not positive")
    }
    let scale = inputScale * (1 / outputScale)
    let bias = -Float(inputZero) * scale
    table = AlignedBytes(zeroed: 256)
    for quantized in range {
      let real = (Float(quantized) * scale + bias).rounded(.toNearestOrAwayFromZero)
      // Far beyond every sum of an eight-bit value and a 32-bit zero point.
      let steps = Int64(real.isNaN ? 0 : min(max(real, -0x1p33), 0x1p33))
      let result = min(max(steps + Int64(outputZero), Int64(range.lowerBound)), Int64(range.upperBound))
      table.bytes[Int(UInt8(truncatingIfNeeded: quantized))] = UInt8(truncatingIfNeeded: result)
    }
  }

  /// Returns a stage that maps rows of `rowBytes` adjoining bytes to rows that lie `stride` bytes apart, beginning at
  /// byte `offset`.
  func stage(
    rows: Int, rowBytes: Int, from source: TensorSlot, to destination: TensorSlot, offset: Int, stride: Int,
    kernels: ByteKernels
  ) -> PreparedOperator.Stage {
    let lanes = ColumnLanes(columns: rowBytes)
    return PreparedOperator.Stage(items: rows * lanes.count, cost: lanes.width * 0.15 + 5) { [table] run, range in
      let quantized = UnsafePointer(table.start.assumingMemoryBound(to: UInt8.self))
      for item in range {
        let row = item / lanes.count
        let columns = lanes.range(item % lanes.count)
        kernels.lookUp(
          count: columns.count, table: quantized,
          input: run.pointer(source, as: UInt8.self) + (row &* rowBytes &+ columns.lowerBound),
          output: run.pointer(destination, as: UInt8.self) + (row &* stride &+ offset &+ columns.lowerBound))
      }
    }
  }
}
