/// What an instruction set with products of bfloat16 can do besides: the upper halves of float32 numbers, of which two
/// fill a 32-bit lane, the first one its lower half.
///
/// Products are exact, sums are float32; denormals count as zero.
protocol BFloat16ISA: VectorISA {
  /// How many neighboring numbers of a column lie side by side in a panel of packed weights, a multiple of two.
  static var bfloat16Group: Int { get }
  /// The lanes of two vectors, those of `low` first, rounded to the nearest, ties to even.
  static func roundedToBFloat16(_ low: F, _ high: F) -> I
  /// Stores the first `count` numbers (0 … two for each lane) and touches nothing behind them.
  static func storeFirstBFloat16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)
}

/// Products of pairs.
protocol BFloat16DotISA: BFloat16ISA {
  /// Adds to each lane the two products of its pairs.
  static func addDotProducts(_ sum: F, _ a: I, _ b: I) -> F
  /// The same for one pair in memory, taken for all lanes of `a`.
  static func addDotProducts(_ sum: F, _ a: UnsafeRawPointer, _ b: I) -> F
}

#if SWIFTLET_AVX512 && SWIFTLET_BFLOAT16
  import _Builtin_intrinsics.intel

  extension AVX512: BFloat16DotISA {
    @inline(__always) static var bfloat16Group: Int { 2 }
    @inline(__always) static func addDotProducts(_ sum: F, _ a: I, _ b: I) -> F {
      swiftlet_bf16_dot(sum, unsafeBitCast(a, to: SIMD8<Int64>.self), unsafeBitCast(b, to: SIMD8<Int64>.self))
    }
    @inline(__always) static func addDotProducts(_ sum: F, _ a: UnsafeRawPointer, _ b: I) -> F {
      swiftlet_bf16_dot_memory(sum, a, unsafeBitCast(b, to: SIMD8<Int64>.self))
    }
    @inline(__always) static func roundedToBFloat16(_ low: F, _ high: F) -> I {
      unsafeBitCast(swiftlet_bf16_round(low, high), to: I.self)
    }
    @inline(__always) static func storeFirstBFloat16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_storeu_epi16(
        pointer, UInt32(truncatingIfNeeded: (1 &<< count) &- 1), unsafeBitCast(x, to: SIMD8<Int64>.self))
    }
  }
#endif
