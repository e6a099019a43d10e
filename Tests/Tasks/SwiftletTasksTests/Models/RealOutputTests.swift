import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Real outputs")
struct RealOutputTests {
  private func spec(_ type: ElementType, scales: [Float]? = nil, zeroPoint: Int32 = 0) -> TensorSpec {
    TensorSpec(
      name: "t", elementType: type, shape: [5],
      quantization: scales.map { QuantizationParameters(scales: $0, zeroPoints: $0.map { _ in zeroPoint }) })
  }

  private func values(_ output: RealOutput, _ bytes: [UInt8], _ spec: TensorSpec) throws -> [Float] {
    try bytes.withUnsafeBytes { try output.withValues(of: $0, spec) { Array($0) } }
  }

  private static let bytes: [UInt8] = [0, 1, 127, 128, 255]

  @Test("uint8 values are unsigned, in steps of the scale from the zero point")
  func unsigned() throws {
    let found = try values(RealOutput(), Self.bytes, spec(.uint8, scales: [0.5], zeroPoint: 100))
    #expect(found == [-50, -49.5, 13.5, 14, 77.5])
  }

  @Test("int8 values are signed")
  func signed() throws {
    let found = try values(RealOutput(), Self.bytes, spec(.int8, scales: [0.25], zeroPoint: -28))
    #expect(found == [7, 7.25, 38.75, -25, 6.75])
  }

  @Test("every byte except 0 is true")
  func booleans() throws {
    #expect(try values(RealOutput(), Self.bytes, spec(.bool)) == [0, 1, 1, 1, 1])
  }

  @Test("float32 values are borrowed without a copy")
  func floats() throws {
    let numbers: [Float] = [1, -2, .infinity]
    let found = try numbers.withUnsafeBytes { try RealOutput().withValues(of: $0, spec(.float32)) { Array($0) } }
    #expect(found == numbers)
  }

  @Test("an output may change its size, scale, and type between runs")
  func changes() throws {
    let output = RealOutput()
    #expect(try values(output, [10, 20], spec(.uint8, scales: [1])) == [10, 20])
    #expect(try values(output, [10, 20, 200], spec(.uint8, scales: [1])) == [10, 20, 200])
    #expect(try values(output, [10], spec(.uint8, scales: [2])) == [20])
    #expect(try values(output, [200], spec(.int8, scales: [2])) == [-112])
    #expect(try values(output, [200], spec(.int8, scales: [2], zeroPoint: 4)) == [-120])
    #expect(try values(output, [], spec(.bool)) == [])
  }

  @Test("other types, and quantized values without exactly one scale, are rejected")
  func refusals() {
    for (spec, isReal) in [
      (spec(.float32), true), (spec(.bool), true), (spec(.uint8, scales: [1]), true), (spec(.int8, scales: [1]), true),
      (spec(.uint8), false), (spec(.int8), false), (spec(.uint8, scales: []), false),
      (spec(.int8, scales: [1, 2]), false),
      (spec(.int16, scales: [1]), false), (spec(.int32), false), (spec(.int64), false), (spec(.float16), false),
      (spec(.string), false),
    ] {
      #expect(RealOutput.isReal(spec) == isReal, "\(spec)")
      let error: TaskError? = thrownError {
        try [UInt8](repeating: 0, count: 20).withUnsafeBytes { try RealOutput().withValues(of: $0, spec) { $0.count } }
      }
      #expect((error == nil) == isReal)
      guard let error else { continue }
      #expect(error.code == .invalidModel)
      #expect(error.message.hasSuffix("must be float32, bool, or uint8 or int8 with one scale and zero point"))
    }
  }
}
