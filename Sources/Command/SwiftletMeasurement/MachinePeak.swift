import SwiftletBase
import SwiftletEngine
import SwiftletOperators
import SwiftletSchema

/// The speed that this machine's kernels reach at best, and the speed of its memory, measured on one thread.
package struct MachinePeak: Sendable {
  /// Operations per second of a matrix product of float32, and of int8; a multiply-add is two.
  package let float32: Double
  package let int8: Double
  /// Bytes per second that are read and written while memory is copied.
  package let bandwidth: Double

  private static let rows = 256
  private static let size = 512
  private static let copiedBytes = 1 << 26

  /// Measures the machine, which takes about a tenth of a second.
  package init() throws {
    float32 = try Self.productSpeed(isQuantized: false)
    int8 = try Self.productSpeed(isQuantized: true)
    let source = [UInt8](repeating: 1, count: Self.copiedBytes)
    var target = [UInt8](repeating: 0, count: Self.copiedBytes)
    bandwidth =
      Self.best(of: 4) {
        target.withUnsafeMutableBytes { target in source.withUnsafeBytes { target.copyMemory(from: $0) } }
      }.map { 2 * Double(Self.copiedBytes) / $0 } ?? 0
  }

  /// Returns the shortest time of several runs in seconds; `nil` if the clock didn't advance.
  private static func best(of count: Int, _ body: () throws -> Void) rethrows -> Double? {
    var shortest = Double.infinity
    for _ in 0..<count {
      let start = ContinuousClock.now
      try body()
      shortest = min(shortest, milliseconds(since: start) / 1000)
    }
    return shortest > 0 && shortest.isFinite ? shortest : nil
  }

  private static func productSpeed(isQuantized: Bool) throws -> Double {
    let type: ElementType = isQuantized ? .int8 : .float32
    let quantization = isQuantized ? QuantizationDescription(scales: [0.01], zeroPoints: [0], axis: 0) : nil
    func tensor(_ shape: [Int], _ data: [UInt8]? = nil) -> TensorDescription {
      TensorDescription(
        name: "", type: type, shape: shape, hasRank: true, data: data.map { ByteRegion($0) },
        quantization: quantization)
    }
    let weights = [UInt8](repeating: 0, count: size * size * (isQuantized ? 1 : 4))
    let graph = Subgraph(
      tensors: [tensor([rows, size]), tensor([size, size], weights), tensor([rows, size])], inputs: [0], outputs: [2],
      operators: [
        OperatorDescription(
          code: OperatorCode(kind: .builtin(.fullyConnected), version: 1), inputs: [0, 1, nil], outputs: [2])
      ])
    let session = try Session(CompiledModel(Model(ModelFile(subgraphs: [graph]))))
    let operations = 2 * Double(rows) * Double(size) * Double(size)
    return try best(of: 12) { try session.run() }.map { operations / $0 } ?? 0
  }
}
