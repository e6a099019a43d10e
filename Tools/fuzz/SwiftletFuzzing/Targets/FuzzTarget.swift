import SwiftletBase

/// A parser of hostile bytes, ready for testing: it must return for any bytes.
package struct FuzzTarget: Sendable {
  package let name: String
  package let run: @Sendable (UnsafeRawBufferPointer) -> Void
  /// Small valid files to start from.
  package let seeds: @Sendable () -> [[UInt8]]

  init(
    _ name: String, seeds: @escaping @Sendable () -> [[UInt8]],
    run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.run = run
  }

  package static let all: [FuzzTarget] = [
    [.model, .doctor, .task, .text], FormatTargets.all, ImageTargets.all, SoundTargets.all, GoldenTargets.all,
    StoreTargets.all, ServerTargets.all,
  ].flatMap(\.self)

  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Bytes on the heap that end at the end of their block, so that a read beyond them is detected.
final class ExactBytes {
  private let memory: UnsafeMutableRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    memory = .allocate(byteCount: bytes.count, alignment: 16)
    memory.copyMemory(from: bytes)
  }

  deinit { memory.deallocate() }

  var region: ByteRegion { ByteRegion(owner: self, bytes: UnsafeRawBufferPointer(memory)) }
}

extension UnsafeRawBufferPointer {
  /// A hash of all bytes, so that the random choices of a case are reproducible.
  var seed: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
