internal import SwiftletKernelSets

/// The kernel sets that the CPU and the operating system support.
enum Processor {
  /// Returns whether the CPU and the operating system support the kernel set with this name.
  static func supports(_ level: String) -> Bool {
    switch level {
    case "portable": true
    #if arch(x86_64) && !os(Windows)
      case "avx2": X86Processor.current.supportsAVX2
      case "avxvnni": X86Processor.current.supportsAVXVNNI
      case "avx512": X86Processor.current.supportsAVX512
      case "avx512bf16": X86Processor.current.supportsBFloat16
    #elseif arch(arm64) && !os(Windows)
      case "neon": true
      case "dotprod": swiftlet_arm64_processor().dotprod != 0
      case "i8mm": swiftlet_arm64_processor().dotprod != 0 && swiftlet_arm64_processor().i8mm != 0
      case "bf16": swiftlet_arm64_processor().bf16 != 0
    #endif
    default: false
    }
  }
}

#if arch(x86_64) && !os(Windows)
  /// The features of the CPU and the operating system, from CPUID and XGETBV.
  struct X86Processor: Equatable {
    /// Whether all x86-64-v3 features are supported, and the system saves the upper halves of the vector registers.
    let supportsAVX2: Bool
    /// Whether AVX2 and its int8 dot products (AVX-VNNI) are supported.
    let supportsAVXVNNI: Bool
    /// Whether all x86-64-v4 features and VNNI are supported.
    let supportsAVX512: Bool
    /// Whether AVX-512 and bfloat16 dot products are supported.
    let supportsBFloat16: Bool

    /// The features of this CPU, detected once.
    static let current = X86Processor()

    private init() { self.init { CPUIDLeaves.kept($0, $1) ?? CPUIDLeaves.asked($0, $1) } }

    /// Creates the features.
    ///
    /// - Parameter leaf: Returns the registers of a leaf and its part.
    init(_ leaf: (_ number: UInt32, _ part: UInt32) -> swiftlet_cpuid_registers) {
      func has(_ register: UInt32, bits: [UInt32]) -> Bool { bits.allSatisfy { register & (1 << $0) != 0 } }

      let osxsave: UInt32 = 27
      let basic = leaf(1, 0)
      guard leaf(0, 0).eax >= 7, leaf(0x8000_0000, 0).eax >= 0x8000_0001, has(basic.ecx, bits: [osxsave]) else {
        supportsAVX2 = false
        supportsAVXVNNI = false
        supportsAVX512 = false
        supportsBFloat16 = false
        return
      }
      let extended = leaf(7, 0), amd = leaf(0x8000_0001, 0)
      let savedState = swiftlet_xgetbv(0)
      // SSE3, SSSE3, FMA, SSE4.1, SSE4.2, MOVBE, POPCNT, AVX, F16C | BMI1, AVX2, BMI2 | LZCNT | SSE and AVX state.
      supportsAVX2 =
        has(basic.ecx, bits: [0, 9, 12, 19, 20, 22, 23, 28, 29]) && has(extended.ebx, bits: [3, 5, 8])
        && has(amd.ecx, bits: [5]) && savedState & 0x6 == 0x6
      // AVX-512 F, DQ, CD, BW, VL | VNNI | mask registers and the upper sixteen vector registers.
      supportsAVX512 =
        supportsAVX2 && has(extended.ebx, bits: [16, 17, 28, 30, 31]) && has(extended.ecx, bits: [11])
        && savedState & 0xE6 == 0xE6
      // EAX of leaf 7 is the number of its last part.
      let further = extended.eax >= 1 ? leaf(7, 1).eax : 0
      supportsAVXVNNI = supportsAVX2 && has(further, bits: [4])
      supportsBFloat16 = supportsAVX512 && has(further, bits: [5])
    }
  }
#endif
