import Foundation
import Testing

@testable import SwiftletKernels

@Suite("Fourier transforms")
struct FourierTests {
  private func root(_ index: Int, of length: Int) -> SIMD2<Double> {
    let angle = -2 * Double.pi * Double(index) / Double(length)
    return SIMD2(cos(angle), sin(angle))
  }

  /// Returns the transform by its definition.
  private func transform(_ numbers: [SIMD2<Double>]) -> [SIMD2<Double>] {
    numbers.indices.map { frequency in
      numbers.indices.reduce(SIMD2<Double>.zero) { sum, index in
        let (a, b) = (numbers[index], root(frequency * index % numbers.count, of: numbers.count))
        return sum + SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
      }
    }
  }

  private func random(_ count: Int, _ seed: UInt64) -> [SIMD2<Double>] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in SIMD2(.random(in: -1...1, using: &random), .random(in: -1...1, using: &random)) }
  }

  @Test("complex numbers at any distance are transformed", arguments: [1, 2, 4, 8, 16, 64, 512], [1, 2, 5])
  func complex(length: Int, step: Int) {
    let given = random(length, UInt64(length))
    let memory = GuardedBuffer<SIMD2<Double>>(count: (length - 1) * step + 1, repeating: SIMD2(7, 7))
    for index in 0..<length { memory.pointer[index * step] = given[index] }
    var roots: [SIMD2<Double>] = []
    var half = 4
    while half < length {
      roots += (0..<half).map { root($0, of: 2 * half) }
      half *= 2
    }
    let guarded = GuardedBuffer(roots.isEmpty ? [.zero] : roots)
    KernelTable.current.signal.transform(memory.pointer, step: step, length: length, roots: guarded.pointer)
    for (index, expected) in transform(given).enumerated() {
      let difference = memory.pointer[index * step] - expected
      #expect(abs(difference.x) < 1e-12 * Double(length) && abs(difference.y) < 1e-12 * Double(length))
    }
    for index in memory.values.indices where index % step != 0 { #expect(memory.values[index] == SIMD2(7, 7)) }
  }

  @Test("frequencies of real numbers are separated", arguments: [1, 2, 4, 8, 256])
  func real(half: Int) {
    var random = SplitMix(seed: UInt64(half))
    let samples = (0..<2 * half).map { _ in Double.random(in: -1...1, using: &random) }
    let paired = transform((0..<half).map { SIMD2(samples[2 * $0], samples[2 * $0 + 1]) })
    let memory = GuardedBuffer(paired + [SIMD2(9, 9)])
    let roots = GuardedBuffer((0...half / 2).map { root($0, of: 2 * half) })
    KernelTable.current.signal.separate(memory.pointer, half: half, roots: roots.pointer)
    let expected = transform(samples.map { SIMD2($0, 0) })
    for index in 0...half {
      let difference = memory.pointer[index] - expected[index]
      #expect(abs(difference.x) < 1e-12 * Double(half + 1) && abs(difference.y) < 1e-12 * Double(half + 1))
    }
  }
}
