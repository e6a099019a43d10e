import Testing

@testable import SwiftletKernels

@Suite("Denormals")
struct FlushedDenormalsTests {
  private struct Failure: Error {}

  @inline(never)
  private func product(_ left: Float, _ right: Float) -> Float { left * right }

  private func half(of number: Float) -> Float { product(number, 0.5) }

  @Test("they are flushed to zero, and no longer afterward")
  func flushes() {
    let smallest = Float.leastNormalMagnitude
    #expect(half(of: smallest).bitPattern == 0x0040_0000)
    let (result, input, normal) = withFlushedDenormals {
      (half(of: smallest), product(0x1p100, Float(bitPattern: 0x0040_0000)), half(of: 2 * smallest))
    }
    #expect(result.bitPattern == 0)
    #expect(input.bitPattern == 0)
    #expect(normal.bitPattern == smallest.bitPattern)
    #expect(half(of: smallest).bitPattern == 0x0040_0000)
  }

  @Test("they are no longer flushed after an error")
  func restores() {
    #expect(throws: Failure.self) { try withFlushedDenormals { throw Failure() } }
    #expect(half(of: .leastNormalMagnitude).bitPattern == 0x0040_0000)
  }
}
