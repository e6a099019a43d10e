import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("LSH_PROJECTION")
struct LSHProjectionTests {
  private func project(
    _ seeds: [Float], _ shape: [Int], _ features: [Int32], weights: [Float]? = nil, form: Int8 = 1
  ) throws -> [Int32] {
    let operands: [Operand] =
      [.constant(seeds, shape), try .input(features)] + (try weights.map { [try .input($0)] } ?? [])
    return try SingleNode(
      .lshProjection, operands, gives: [.int32], options: LSHProjectionOptions.with { [$0.type(code: form)] })()
      .values()
  }

  @Test("gives the same bits in both forms, and adds an offset to every sparse signature")
  func forms() throws {
    let seeds = (0..<12).map { Float($0) * 0.7 - 3 }
    let bits = try project(seeds, [3, 4], [12345, 54321], form: 2)
    #expect(bits.count == 12 && Set(bits) == [0, 1])
    var signatures: [Int32] = []
    for start in stride(from: 0, to: 12, by: 4) {
      // The offset of signature i is i · 2⁴.
      signatures.append(Int32(4 * start))
      for (place, bit) in bits[start..<start + 4].enumerated() {
        signatures[signatures.count - 1] += bit << Int32(3 - place)
      }
    }
    #expect(try project(seeds, [3, 4], [12345, 54321]) == signatures)
  }

  @Test("adds weighted features")
  func weighs() throws {
    let seeds = (0..<32).map { Float($0) }
    let one = try project(seeds, [32, 1], [7], form: 2)
    #expect(try project(seeds, [32, 1], [7, 8], weights: [1, 0], form: 2) == one)
    #expect(try project(seeds, [32, 1], [7], weights: [-1], form: 2) == one.map { 1 - $0 })
    #expect(try project(seeds, [32, 1], [7], weights: [0], form: 2) == one.map { _ in 0 })
  }

  @Test("rejects unsupported forms, seeds, features, and weights")
  func refuses() {
    for form: Int8 in [0, 3] { #expect(throws: RuntimeError.self) { try project([1], [1, 1], [1], form: form) } }
    let wrong: [() throws -> [Int32]] = [
      { try project([1], [1], [1]) }, { try project([Float](repeating: 1, count: 33), [1, 33], [1]) },
      { try project([1], [1, 1], []) }, { try project([1], [1, 1], [1, 2], weights: [1]) },
    ]
    for attempt in wrong {
      let error = #expect(throws: RuntimeError.self) { try attempt() }
      #expect(
        error?.code == .invalidModel && error?.location?.operatorIndex == 0
          && error?.location?.operatorName == "LSH_PROJECTION")
    }
  }

  @Test("rejects excessive numbers of features and seeds")
  func refusesTooMuch() throws {
    let error = #expect(throws: RuntimeError.self) {
      try project([Float](repeating: 1, count: 1 << 16), [1 << 16, 1], [Int32](repeating: 1, count: 1 << 16))
    }
    #expect(error?.code == .limitExceeded && error?.location?.operatorName == "LSH_PROJECTION")
  }

  @Test("distinguishes byte sequences that differ in one bit, at every length")
  func fingerprints() {
    for count in 0...200 {
      var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      var seen: Set<UInt64> = [bytes.withUnsafeBytes { Fingerprint.of($0) }]
      for position in bytes.indices {
        bytes[position] ^= 1 << UInt8(position % 8)
        seen.insert(bytes.withUnsafeBytes { Fingerprint.of($0) })
        bytes[position] ^= 1 << UInt8(position % 8)
      }
      #expect(seen.count == count + 1, "of \(count) bytes")
    }
  }
}
