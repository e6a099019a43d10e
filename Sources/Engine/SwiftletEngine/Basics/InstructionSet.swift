import SwiftletKernels

/// The instructions that kernels are written for. The package holds all variants; which one runs is decided once, at
/// the first use.
public enum InstructionSet: String, Sendable, Hashable, CaseIterable {
  /// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64.
  case portable
  /// x86-64-v3: AVX2 with fused multiply-add.
  case avx2
  /// x86-64-v4 with VNNI: AVX-512 and its dot products of bytes.
  case avx512

  /// The one in use: the best that the processor and the operating system support, or the one that the environment
  /// variable `SWIFTLET_ISA` names if they support it.
  ///
  /// - Thread safety: callable concurrently.
  public static let current = InstructionSet(rawValue: KernelTable.current.name) ?? .portable
}
