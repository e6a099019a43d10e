import SwiftletKernels

/// The instructions that kernels are written for. The package holds all variants; which one runs is decided once, at
/// the first use.
///
/// | name | processors |
/// |---|---|
/// | `portable` | all: SSE2 on x86-64, NEON on arm64 |
/// | `avx2` | x86-64-v3: AVX2 with fused multiply-add |
/// | `avxvnni` | the same with AVX-VNNI, its dot products of bytes |
/// | `avx512` | x86-64-v4 with VNNI: AVX-512 and its dot products of bytes |
/// | `neon` | arm64: all |
/// | `dotprod` | arm64 with dot products of bytes |
/// | `i8mm` | arm64 with matrix products of bytes |
public struct InstructionSet: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name, as the environment variable `SWIFTLET_ISA` takes it.
  public let rawValue: String

  /// The set of that name, whether there is one or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }

  /// The one in use: the best that the processor and the operating system support, or the one that the environment
  /// variable `SWIFTLET_ISA` names if they support it.
  ///
  /// - Thread safety: callable concurrently.
  public static let current = InstructionSet(rawValue: KernelTable.current.name)

  /// Those that the processor and the operating system support, slowest first.
  ///
  /// - Thread safety: callable concurrently.
  public static let available = KernelTable.available.map { InstructionSet(rawValue: $0.name) }
}
