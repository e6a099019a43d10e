import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// A requantization of 8-bit values with a lookup table of all 256 quantized values.
///
/// - Source: the reference runtime's concatenation of uint8 inputs: single precision, with one rounding, half away from
///   zero.
struct ByteRequantization: Sendable {
  private let table: AlignedBytes

  /// Creates the requantization from `input` to `output`. Returns `nil` if the quantized values don't change, because
  /// the tensors aren't both quantized 8-bit tensors or have the same quantization.
  ///
  /// - Throws: An error for scales that aren't positive.
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
      // Far above every sum of an 8-bit value and a 32-bit zero point.
      let steps = Int64(real.isNaN ? 0 : min(max(real, -0x1p33), 0x1p33))
      let result = min(max(steps + Int64(outputZero), Int64(range.lowerBound)), Int64(range.upperBound))
      table.bytes[Int(UInt8(truncatingIfNeeded: quantized))] = UInt8(truncatingIfNeeded: result)
    }
  }

  /// Returns a stage that maps contiguous rows of `rowBytes` bytes to rows that are `stride` bytes apart, starting at
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
